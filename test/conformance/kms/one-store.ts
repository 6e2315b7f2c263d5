import { createStorage } from '#shared/storage/create/create-storage.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { said, type Seen } from './look.ts';
import type { PartOptions } from './part.ts';
import { GoPlugin, type KmsVersion } from './plugin.ts';
import { endContestants, flagsFor, secrets, startServer, twoOfOneStore, type RunningServer } from './servers.ts';
import { awaited, writesBy } from './steps.ts';

/** The reference and this server over one etcd with one plugin: each reads what the other wrote. */
export async function compareOverOneStore(options: PartOptions, version: KmsVersion): Promise<void> {
  const { program, folder, findings } = options;
  const plugin = new GoPlugin(program, version, folder);
  await plugin.start();
  const contestants = await twoOfOneStore(folder);
  const raw = createStorage({ endpoints: [contestants[0]?.etcd?.url ?? ''] });
  const start = (): Promise<RunningServer[]> =>
    Promise.all(contestants.map((one) => startServer(one, flagsFor(plugin, version, folder))));
  let servers = await start();
  const close = async (): Promise<void> => void (await Promise.all(servers.map((server) => server.close())));
  const compare = async (at: string, names: readonly string[]): Promise<void> => {
    const [theirs, ours] = await Promise.all(servers.map((server) => reads(server, names)));
    findings.compare(`one store, ${version}, ${at}`, theirs ?? new Map(), ours ?? new Map());
  };
  try {
    await untilWritten(servers, 'a');
    await compare('of both', ['reference-a', 'ours-a']);
    plugin.set({ keyId: '2', failing: 'Decrypt' });
    if (version === 'v2') await Promise.all(servers.map((one) => awaited('key 2', one, () => writesBy(one, '2'))));
    await untilWritten(servers, 'b');
    findings.compare(`one store, ${version}, unknown data key`, ...(await readsOfOther(servers)));
    await plugin.kill();
    plugin.set({ failing: '' });
    await plugin.start();
    await Promise.all(
      servers.map((one) =>
        awaited(
          'decrypts',
          one,
          async () => (await reads(one, all)).get('LIST') === `200 ${[...all].sort().join(' ')}`,
        ),
      ),
    );
    await compare('after the plugin is back', all);
    findings.compare(`one store, ${version}, stored`, ...(await storedBy(raw, version)));
    await rewriteOther(servers);
    findings.compare(`one store, ${version}, rewritten`, ...(await storedBy(raw, version)));
    await close();
    servers = await start();
    await Promise.all(
      servers.map((one) => awaited('restart', one, async () => (await one.ask('GET', '/readyz')).status === 200)),
    );
    await compare('after a restart', all);
  } finally {
    await close();
    await raw.close();
    await plugin.kill();
    await endContestants(contestants);
  }
}

const all = ['reference-a', 'ours-a', 'reference-b', 'ours-b'];

/** Each writes a Secret of its own. */
async function untilWritten(servers: readonly RunningServer[], letter: string): Promise<void> {
  for (const server of servers)
    await awaited(`write ${letter}`, server, async () => {
      const object = { metadata: { name: `${server.name}-${letter}` }, stringData: { text: 'mark-of-plain-text' } };
      return [201, 409].includes((await server.ask('POST', secrets, object)).status);
    });
}

async function reads({ ask }: RunningServer, names: readonly string[]): Promise<Seen> {
  const seen: Seen = new Map();
  for (const name of names) {
    const answer = await ask('GET', `${secrets}/${name}`);
    const { data } = answer.body as { data?: unknown };
    seen.set(`GET ${name}`, `${said(answer)} ${JSON.stringify(data)}`);
  }
  seen.set('LIST', said(await ask('GET', secrets)));
  return seen;
}

/**
 * What each says of the Secret of the other, as if both had one name. Reads from the cache are left out: the
 * reference's knows nothing of an object that it could not decrypt, and here the read says that it cannot.
 */
async function readsOfOther(servers: readonly RunningServer[]): Promise<[Seen, Seen]> {
  const seen = await Promise.all(
    servers.map(async ({ name, ask }) => {
      const other = name === 'ours' ? 'reference-b' : 'ours-b';
      const texts: Seen = new Map();
      texts.set('GET', said(await ask('GET', `${secrets}/${other}`)).replaceAll(other, 'other'));
      const object = { metadata: { name: other }, stringData: { text: 'changed' } };
      texts.set('PUT', said(await ask('PUT', `${secrets}/${other}`, object)).replaceAll(other, 'other'));
      return texts;
    }),
  );
  return [seen[0] ?? new Map(), seen[1] ?? new Map()];
}

/** Writes what the other wrote, as it is: a value by an old key is encrypted anew. */
async function rewriteOther(servers: readonly RunningServer[]): Promise<void> {
  for (const { name, ask } of servers) {
    const path = `${secrets}/${name === 'ours' ? 'reference-a' : 'ours-a'}`;
    const { body } = await ask('GET', path);
    await ask('PUT', path, body);
  }
}

/** The key's id: in an annotation, or at the beginning of the encrypted data key. */
const keyPatterns = { v1: /^.{18}..(\d):/s, v2: /key\.kms-plugin\.example\.com..(.)/s } as const;

/** How values begin in etcd, which key of the plugin they name, and whether they can be read. */
async function storedBy(raw: Storage, version: KmsVersion): Promise<[Seen, Seen]> {
  const of = async (writer: string): Promise<Seen> => {
    const seen: Seen = new Map();
    for (const letter of ['a', 'b']) {
      const { kv } = await raw.get(`/secrets/default/${writer}-${letter}`);
      const text = Buffer.from(kv?.value ?? []).toString('latin1');
      const key = keyPatterns[version].exec(text);
      seen.set(letter, [text.slice(0, 18), key?.[1], text.includes('mark-of-plain-text')]);
    }
    return seen;
  };
  return [await of('reference'), await of('ours')];
}
