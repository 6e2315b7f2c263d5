import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { copyFromEtcd, copyToEtcd } from '#servers/store/commands/copy-store.ts';
import { compactStore, defragmentStore } from '#servers/store/commands/maintain-store.ts';
import { repairStore } from '#servers/store/commands/repair-store.ts';
import { restoreSnapshot, saveSnapshot } from '#servers/store/commands/snapshot.ts';
import { verifyStore } from '#servers/store/commands/verify-store.ts';
import { withStore } from '#servers/store/commands/with-store.ts';
import { list } from '#servers/store/testing/contract-context.ts';
import { changeValue } from '#servers/store/testing/stored-values.ts';
import { temporaryStore } from '#servers/store/testing/temporary-store.ts';
import { http1Client, type ApiClient } from '#test/api-client.ts';
import { startCluster, type Cluster } from '#test/cluster.ts';

// The tools of the embedded store carry encrypted values as they are: none has a key, none reads a value.

const folder = mkdtempSync(join(tmpdir(), 'encrypted-tools-'));
const words = 'words-that-nobody-may-read';
const bump = 1000;
const ignore = (): void => undefined;
/** Each is encrypted by another provider. */
const paths = ['secrets', 'configmaps', 'serviceaccounts'].map((name) => `/api/v1/namespaces/default/${name}`);
const secret = Buffer.alloc(32, 'k').toString('base64');
const key = (name: string): string => `{ keys: [{ name: ${name}, secret: ${secret} }] }`;
const configuration = join(folder, 'encryption.yaml');
writeFileSync(
  configuration,
  `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- { resources: [secrets], providers: [{ secretbox: ${key('a')} }] }
- { resources: [configmaps], providers: [{ aesgcm: ${key('b')} }] }
- { resources: [serviceaccounts], providers: [{ aescbc: ${key('c')} }] }
`,
  { mode: 0o600 },
);
after(() => rmSync(folder, { recursive: true, force: true }));

async function withServer(home: string, work: (client: ApiClient) => Promise<void>): Promise<void> {
  const flags = ['--encryption-provider-config', configuration];
  const cluster: Cluster = await startCluster({ dataDir: join(folder, home), flags, readyWithinMs: 60_000 });
  const client = http1Client(cluster);
  try {
    await work(client);
  } finally {
    client.close();
    await cluster.close();
  }
}

const storeOf = (home: string): string => join(folder, home, 'store');

/** What lies in a store, by key, for the resources that are encrypted. */
async function stored(home: string): Promise<Map<string, string>> {
  const kvs = await withStore(storeOf(home), async (etcd) =>
    (await Promise.all(paths.map((path) => list(etcd, `/registry/${path.split('/').at(-1)}/`)))).flat(),
  );
  return new Map(kvs.map((kv) => [kv.key.toString(), kv.value.toString('latin1')]));
}

const object = (size: number, version: string): object => ({
  metadata: { name: `o${size}`, annotations: { text: `${words} ${version} ${'x'.repeat(size)}` } },
});

describe('store tools, with encrypted values', () => {
  test('carry them as they are, and a server starts on what they made', async () => {
    await withServer('first', async (client) => {
      for (const path of paths)
        for (const size of [0, 200_000]) {
          const created = await client.send('POST', path, { body: object(size, 'old') });
          assert.equal(created.status, 201, created.text);
          const updated = await client.send('PUT', `${path}/o${size}`, { body: object(size, 'new') });
          assert.equal(updated.status, 200, updated.text);
        }
    });
    const before = await stored('first');
    assert.ok(before.size >= 6);
    for (const [name, value] of before) assert.match(value, /^k8s:enc:(secretbox|aesgcm|aescbc):v1:[abc]:/, name);
    assert.ok(![...before.values()].some((value) => value.includes(words)));
    const isSame = async (home: string): Promise<void> => {
      assert.deepEqual(verifyStore(storeOf(home)).findings, [], home);
      assert.deepEqual(await stored(home), before, home);
    };

    const file = join(folder, 'snapshot');
    await saveSnapshot(storeOf('first'), file);
    await restoreSnapshot(file, storeOf('restored'), bump);
    await isSame('restored');

    await withStore(storeOf('first'), async (store) => {
      await compactStore(store, 0);
      await defragmentStore(store);
    });
    await isSame('first');

    await repairStore(storeOf('restored'), storeOf('repaired'), false, bump);
    await isSame('repaired');

    await using etcd = await temporaryStore();
    await withStore(storeOf('repaired'), (source) => copyToEtcd(source, etcd.etcd, '/registry', ignore));
    await copyFromEtcd(etcd.etcd, storeOf('copied'), '/registry', bump, ignore);
    await isSame('copied');

    cpSync(join(folder, 'first', 'pki'), join(folder, 'copied', 'pki'), { recursive: true });
    await withServer('copied', async (client) => {
      for (const path of paths)
        for (const size of [0, 200_000]) {
          const { status, text } = await client.send('GET', `${path}/o${size}`);
          assert.ok(status === 200 && text.includes(`${words} new `), text.slice(0, 200));
        }
    });
  });

  test('name a damaged one by its key, and leave it out', async () => {
    await saveSnapshot(storeOf('first'), join(folder, 'whole'));
    await restoreSnapshot(join(folder, 'whole'), storeOf('damaged'), bump);
    const name = '/registry/secrets/default/o0';
    changeValue(storeOf('damaged'), `id = (SELECT max(id) FROM log WHERE instr(kv, CAST('${name}' AS BLOB)))`);
    assert.ok(verifyStore(storeOf('damaged')).findings.some((finding) => finding.includes(name)));
    const { leftOut } = await repairStore(storeOf('damaged'), storeOf('mended'), false, bump);
    assert.ok(leftOut.length === 1 && leftOut[0]?.includes(name), leftOut.join('\n'));
    const before = await stored('first');
    before.delete(name);
    assert.deepEqual(await stored('mended'), before);
  });
});
