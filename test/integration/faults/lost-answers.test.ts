import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startStore } from '#servers/store/start/start-store.ts';
import type { RunningStore } from '#servers/store/start/start-store.ts';
import { EtcdStorage } from '#shared/storage/etcd-storage/etcd-storage.ts';
import { FrameTransport } from '#shared/storage/etcd-wire/frame-transport.ts';
import { InProcess } from '#test/integration/resources/in-process.ts';
import type { Answer } from '#test/integration/resources/in-process.ts';
import { FaultyTransport } from './faulty-transport.ts';

// A write whose answer was lost may have been carried out. Whoever repeats it, server or client, does it twice.

const maps = '/api/v1/namespaces/default/configmaps';
const jsonPatch = { 'content-type': 'application/json-patch+json' };

let directory: string;
let store: RunningStore;
let transport: FaultyTransport;
let storage: EtcdStorage;
let server: InProcess;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quarterdeck-faults-'));
  store = await startStore({ dataDir: directory, listenUnixSocket: join(directory, 'store.sock') });
  transport = new FaultyTransport(new FrameTransport({ socketPath: join(directory, 'store.sock') }));
  storage = new EtcdStorage({ transport, prefix: '/registry' });
  server = new InProcess([{ group: '', resource: 'configmaps', strategy: { generation: 'none' } }], storage);
});

after(async () => {
  server.close();
  await storage.close();
  await store.close();
  await rm(directory, { recursive: true });
});

/** The answer, and how many transactions the store was given for it. */
async function sendWith(
  faults: readonly ('not sent' | 'answer lost' | 'answer late' | 'lost on the way')[],
  ...request: Parameters<InProcess['send']>
): Promise<Answer & { transactions: number }> {
  const before = transport.transactions;
  transport.faults.push(...faults);
  const answer = await server.send(...request);
  assert.deepEqual(transport.faults, [], 'every fault happened');
  return { ...answer, transactions: transport.transactions - before };
}

/** Not to be repeated by a client either: at Retry-After, clients of Kubernetes send writes again by themselves. */
function assertUnknown(answer: Answer): void {
  assert.ok(answer.status === 500 || answer.status === 504, `${answer.status} ${answer.text}`);
  assert.equal(answer.headers['retry-after'], undefined);
  assert.equal((answer.body['details'] as { retryAfterSeconds?: number } | undefined)?.retryAfterSeconds, undefined);
}

async function read(name: string): Promise<{ status: number; data: unknown }> {
  const { status, body } = await server.send('GET', `${maps}/${name}`);
  return { status, data: body['data'] };
}

describe('writes with a lost store answer', () => {
  test('repeats a create that was never sent', async () => {
    const created = await sendWith(['not sent', 'not sent'], 'POST', maps, {
      metadata: { name: 'unsent' },
      data: { k: 'v' },
    });
    assert.equal(created.status, 201, created.text);
    assert.equal(created.transactions, 1);
  });

  for (const fault of ['answer lost', 'answer late', 'lost on the way'] as const) {
    const done = fault !== 'lost on the way';

    test(`answers create without Retry-After (${fault})`, async () => {
      const name = `create-${fault.replaceAll(' ', '-')}`;
      const created = await sendWith([fault], 'POST', maps, { metadata: { name }, data: { k: 'v' } });
      assertUnknown(created);
      assert.equal(created.transactions, done ? 1 : 0);
      assert.equal((await read(name)).status, done ? 200 : 404);
    });

    test(`creates no second object under another generated name (${fault})`, async () => {
      const prefix = `gen-${fault.replaceAll(' ', '-')}-`;
      assertUnknown(await sendWith([fault], 'POST', maps, { metadata: { generateName: prefix } }));
      const { body } = await server.send('GET', maps);
      const names = (body['items'] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
      assert.equal(names.filter((name) => name.startsWith(prefix)).length, done ? 1 : 0);
    });

    test(`does not apply a JSON patch a second time to its own result (${fault})`, async () => {
      const name = `patch-${fault.replaceAll(' ', '-')}`;
      await server.send('POST', maps, { metadata: { name, finalizers: ['a.io/first'] } });
      // The next write starts from the cache, as most do.
      await read(name);
      const patch = [{ op: 'add', path: '/metadata/finalizers/-', value: `b.io/${name}` }];
      const patched = await sendWith([fault], 'PATCH', `${maps}/${name}`, patch, jsonPatch);
      assertUnknown(patched);
      assert.equal(patched.transactions, done ? 1 : 0);
      const { body } = await server.send('GET', `${maps}/${name}`);
      const { finalizers } = body['metadata'] as { finalizers: string[] };
      assert.deepEqual(finalizers, done ? ['a.io/first', `b.io/${name}`] : ['a.io/first']);
    });

    test(`does not answer 404 to a delete (${fault})`, async () => {
      const name = `delete-${fault.replaceAll(' ', '-')}`;
      await server.send('POST', maps, { metadata: { name } });
      await read(name);
      const deleted = await sendWith([fault], 'DELETE', `${maps}/${name}`);
      assertUnknown(deleted);
      assert.equal((await read(name)).status, done ? 404 : 200);
    });
  }
});

describe('requests while the store restarts', () => {
  test('answers a read once the store is back', async () => {
    await server.send('POST', maps, { metadata: { name: 'reads' } });
    await store.close();
    const reading = read('reads');
    store = await startStore({ dataDir: directory, listenUnixSocket: join(directory, 'store.sock') });
    assert.equal((await reading).status, 200);
  });

  test('answers a write once the store is back, and writes it once', async () => {
    await store.close();
    const before = transport.transactions;
    const creating = server.send('POST', maps, { metadata: { name: 'waits' } });
    // Its connection is known to be gone once a read of the same transport has failed.
    await storage.ready(1).catch(() => undefined);
    store = await startStore({ dataDir: directory, listenUnixSocket: join(directory, 'store.sock') });
    const created = await creating;
    assert.ok(created.status === 201 || created.headers['retry-after'] === undefined, created.text);
    assert.equal((await read('waits')).status, 200);
    assert.ok(transport.transactions - before >= 1);
  });
});
