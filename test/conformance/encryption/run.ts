// Encrypted data moves between this server and the reference, which share an etcd and a file:
//   npm run build && REFERENCE_BIN=FOLDER node --import tsx test/conformance/encryption/run.ts
// Both write objects of resources that each provider encrypts, with a second key from a restart on, and read those of
// the other; values in etcd are looked at. Values that are rewritten need no old key. Of an object
// that cannot be decrypted both say the same, and of objects whose key is taken away while both run.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createStorage } from '#shared/storage/create/create-storage.ts';
import { collectionPath, listedResources } from '#test/compare/listed-resources.ts';
import { startOurs, startTheirs, type Side } from '#test/compare/pair.ts';
import type { JsonAnswer } from '#test/json-client.ts';
import { referenceProgram, startEtcd } from '#test/reference.ts';
import { fileWith } from './files.ts';
import { mark, pandas, samples, type Sample } from './objects.ts';
import { checkServerKeys } from './server-keys.ts';
import { compareTakenAway } from './taken-away.ts';
import { compareUnreadable } from './unreadable.ts';

interface Listed {
  readonly items?: readonly { readonly metadata: { readonly name: string; readonly namespace?: string } }[];
  readonly apiVersion: string;
  readonly kind?: string;
}

const folder = mkdtempSync(join(tmpdir(), 'encryption-'));
const file = join(folder, 'encryption.yaml');
const flags = [`--encryption-provider-config=${file}`];
const etcd = await startEtcd(referenceProgram('etcd') ?? '', join(folder, 'etcd'));
const raw = createStorage({ endpoints: [etcd.url] });
const complaints: string[] = [];
let checks = 0;

function check(holds: boolean, what: string): void {
  checks++;
  if (!holds) complaints.push(what);
}

async function withServers(
  contents: string,
  work: (sides: Record<'ours' | 'theirs', Side>) => Promise<void>,
): Promise<void> {
  writeFileSync(file, contents);
  const ours = await startOurs({ flags, etcdUrl: etcd.url });
  try {
    const theirs = await startTheirs(flags, etcd.url);
    try {
      await work({ ours, theirs });
    } finally {
      await theirs.close();
    }
  } finally {
    await ours.close();
  }
}

/** Writes one object of each kind by each server, and reads all by both. */
async function writeAndRead(sides: Record<'ours' | 'theirs', Side>, letter: string): Promise<void> {
  for (const [by, side] of Object.entries(sides))
    for (const { collection, object } of samples) {
      const { status, body } = await side.json.call('POST', collection, object(`${by}-${letter}`));
      check(status === 201, `${by}: POST ${collection}: ${status} ${JSON.stringify(body)}`);
    }
  await readAlike(sides);
  for (const by of Object.keys(sides))
    for (const sample of samples) await checkStored(sample, `${by}-${letter}`, letter);
}

async function readAlike({ ours, theirs }: Record<'ours' | 'theirs', Side>): Promise<void> {
  for (const { collection } of samples) {
    const [here, there] = [await listed(ours, collection), await listed(theirs, collection)];
    check(
      here.status === 200 && isDeepStrictEqual(here, there),
      `GET ${collection}: ${summary(here)} and ${summary(there)}`,
    );
  }
}

/** A list without its revision, which others move, once the cache of the resource is filled. */
async function listed({ json }: Side, collection: string): Promise<Pick<JsonAnswer, 'status' | 'body'>> {
  for (;;) {
    const { status, body } = await json.call('GET', collection);
    if (status !== 429) return { status, body: { ...(body as Listed), metadata: {} } };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function summary({ status, body }: { readonly status: number; readonly body: unknown }): string {
  const { items, message } = body as {
    items?: { metadata: { name: string; resourceVersion: string } }[];
    message?: string;
  };
  return `${status} ${message ?? items?.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).join(' ') ?? ''}`;
}

async function checkStored({ key, prefix }: Sample, name: string, letter: string): Promise<void> {
  const { kv } = await raw.get(key + name);
  const text = Buffer.from(kv?.value ?? []).toString('latin1');
  const wanted = prefix(letter);
  check(text.startsWith(wanted), `${key}${name} begins with ${JSON.stringify(text.slice(0, 40))}, not ${wanted}`);
  check(
    text.includes(mark) !== wanted.startsWith('k8s:enc:'),
    `${key}${name} ${text.includes(mark) ? 'can' : 'cannot'} be read`,
  );
}

/** Writes all objects of the cluster as they are, as `kubectl get -o json | kubectl replace -f -` does. */
async function rewrite({ json }: Side): Promise<void> {
  for (const resource of await listedResources(json)) {
    const { body } = await json.call('GET', `${resource.root}/${resource.name}`);
    const { items = [], apiVersion, kind = '' } = body as Listed;
    for (const item of items) {
      const path = `${collectionPath(resource, item.metadata.namespace ?? '')}/${item.metadata.name}`;
      const object = { apiVersion, kind: kind.replace(/List$/, ''), ...item };
      const { status } = await json.call('PUT', path, object);
      // Some objects cannot be written, and some are written by the servers all the time, with the first key.
      check([200, 405, 409].includes(status), `PUT ${path}: ${status}`);
    }
  }
}

try {
  await withServers(fileWith('a'), async (sides) => {
    await sides.theirs.json.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', pandas);
    for (const side of Object.values(sides))
      while ((await side.json.call('GET', samples.at(-1)?.collection ?? '')).status !== 200)
        await new Promise((resolve) => setTimeout(resolve, 100));
    await writeAndRead(sides, 'a');
    await checkServerKeys(raw, check);
  });
  await withServers(fileWith('ba'), async (sides) => {
    await writeAndRead(sides, 'b');
    await rewrite(sides.ours);
    for (const sample of samples) for (const name of ['ours-a', 'theirs-a']) await checkStored(sample, name, 'b');
    await readAlike(sides);
  });
  await withServers(fileWith('b'), async (sides) => {
    await readAlike(sides);
    await compareUnreadable({ sides, raw, check });
  });
  flags.push('--encryption-provider-config-automatic-reload');
  await withServers(fileWith('b'), (sides) =>
    compareTakenAway({ sides, takeAway: () => writeFileSync(file, fileWith('b', 'c')), check }),
  );
} catch (error) {
  complaints.push(String(error).slice(0, 2_000));
} finally {
  await raw.close();
  await etcd.close();
  rmSync(folder, { recursive: true, force: true });
}
for (const complaint of complaints) console.log(complaint);
console.log(`${checks} checks, ${complaints.length} complaints`);
process.exitCode = complaints.length === 0 ? 0 : 1;
