// Breaks stored objects of a built-in kind and of a custom one, and compares what this server and the reference answer,
// with and without AllowUnsafeMalformedObjectDeletion:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/malformed-objects/run.ts
// Needs the bundles of dist (or QUARTERDECK_DIST). The texts of decoders differ, and are left out.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStorage } from '#shared/storage/create/create-storage.ts';
import { differencesFromAll } from '#test/compare/differences.ts';
import { sendJson as send, type Exchange, type Server } from '#test/compare/exchange.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import { startPair } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { referenceProgram, startEtcd } from '#test/reference.ts';
import { kinds, makeDefinition, type BrokenKind } from './kinds.ts';
import { playAs } from './users.ts';

const report = new Report();
const unread = { ignoreStoreReadErrorWithClusterBreakingPotential: true };

/** Makes three objects, and breaks the second one in etcd. */
async function prepare(server: Server, etcdUrl: string, { path, key, object }: BrokenKind): Promise<void> {
  for (const name of ['a', 'b', 'c']) await send(server, 'POST', path, object(name));
  const storage = createStorage({ endpoints: [etcdUrl] });
  try {
    const { kv } = await storage.get(key);
    const { ok } = await storage.compareAndSwap(key, kv?.modRevision ?? 0, Buffer.from('no object'));
    if (!ok) throw new Error(`${key} was not broken`);
  } finally {
    await storage.close();
  }
}

async function play(server: Server, { path, object }: BrokenKind): Promise<Exchange[]> {
  const item = `${path}/b`;
  const request = (method: string, target: string, body?: unknown): Promise<Exchange> =>
    send(server, method, target, body);
  const read = [
    await request('GET', item),
    await request('GET', `${path}/a`),
    await request('GET', path),
    await request('GET', `${path}?limit=2`),
    await request('GET', `${path}?labelSelector=x%3Dy`),
    await request('GET', `${path}?fieldSelector=metadata.name%3Da`),
    await request('GET', `${path}?fieldSelector=metadata.name%3Db`),
  ];
  const written = [
    await request('PATCH', item, { metadata: { labels: { x: 'y' } } }),
    await request('PUT', item, object('b')),
    await request('POST', path, object('b')),
    await request('DELETE', item),
    await request('DELETE', `${path}?labelSelector=x%3Dy`),
    await request('DELETE', `${path}?labelSelector=x%3Dy`, unread),
  ];
  const refused = [
    await request('DELETE', `${path}/none`, unread),
    await request('DELETE', item, { ...unread, dryRun: ['All'], orphanDependents: true }),
    await request('DELETE', item, { ...unread, gracePeriodSeconds: 0, preconditions: { uid: 'u' } }),
    await request('DELETE', item, { ...unread, propagationPolicy: 'Orphan' }),
    await request('DELETE', `${path}/a?dryRun=All`, {}),
  ];
  const removed = [
    ...(await playAs(server, (as) => send(server, 'DELETE', item, unread, as))),
    await request('DELETE', item, unread),
    await request('DELETE', item, unread),
    await request('GET', item),
    await request('POST', path, object('b')),
  ];
  return [...read, ...written, ...refused, ...removed];
}

/** The text of a decoder, as the first read of the object tells it. */
function reasonIn({ body }: Exchange): string {
  const { message = '' } = body as { message?: string };
  return message.replace(/^.* revision=\d+: /, '');
}

function normal(exchange: Exchange, reason: string): ReturnType<typeof normalForm> {
  const text = JSON.stringify(exchange.body).replaceAll(JSON.stringify(reason).slice(1, -1), '<reason>');
  return normalForm(
    { ...exchange, body: JSON.parse(text.replaceAll(/ revision=\d+/g, ' revision=<rv>')) as Exchange['body'] },
    false,
  );
}

async function compare(name: string, flags: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'malformed-'));
  const program = referenceProgram('etcd') ?? '';
  const ours = await startEtcd(program, join(folder, 'ours'));
  const theirs = await startEtcd(program, join(folder, 'theirs'));
  const pair = await startPair({ flags, stores: { ours: ours.url, theirs: theirs.url } });
  try {
    const sides = [
      { server: pair.ours.server, etcd: ours },
      { server: pair.theirs.server, etcd: theirs },
    ] as const;
    await Promise.all(sides.map(({ server }) => makeDefinition(server)));
    for (const kind of kinds) {
      const [have = [], want = []] = await Promise.all(
        sides.map(async ({ server, etcd }) => {
          await prepare(server, etcd.url, kind);
          return play(server, kind);
        }),
      );
      const reasons = [have, want].map(([first]) => (first === undefined ? '' : reasonIn(first)));
      for (const [at, wanted] of want.entries()) {
        const given = have[at];
        const lines =
          given === undefined
            ? ['not sent here']
            : differencesFromAll([normal(wanted, reasons[1] ?? '')], normal(given, reasons[0] ?? ''));
        report.note(
          `${name}, ${kind.name}`,
          `${at} ${wanted.sent.method} ${wanted.sent.path} (${wanted.status})`,
          lines,
        );
      }
    }
  } finally {
    await pair.close();
    await Promise.all([ours.close(), theirs.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

await compare('without the gate', []);
await compare('with the gate', ['--feature-gates=AllowUnsafeMalformedObjectDeletion=true']);
process.exit(report.finish());
