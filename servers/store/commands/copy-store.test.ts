import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { b, put, WatchProbe } from '#servers/store/testing/contract-context.ts';
import { temporaryStore } from '#servers/store/testing/temporary-store.ts';
import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import { copyFromEtcd, copyToEtcd } from './copy-store.ts';
import { verifyStore } from './verify-store.ts';
import { withStore } from './with-store.ts';

const ignore = (): void => undefined;

async function contents(etcd: EtcdTransport): Promise<string[]> {
  const { kvs } = await etcd.unary('KV/Range', { key: b('/registry/'), rangeEnd: b('/registry0') });
  return kvs.map(({ key, value, lease }) => `${key.toString()} ${value.toString('base64')} ${lease}`);
}

describe('store copy', () => {
  test('copies the prefix with its leases to an empty etcd and back, above all revisions of the source', async () => {
    // Stores stand in for the etcd: they speak its API.
    await using source = await temporaryStore();
    await using target = await temporaryStore();
    const { id } = await source.etcd.unary('Lease/LeaseGrant', { ttl: 600 });
    const early = await put(source.etcd, '/registry/a');
    await put(source.etcd, '/elsewhere', 'x');
    await Promise.all(
      Array.from({ length: 1100 }, (_, i) =>
        source.etcd.unary('KV/Put', { key: b(`/registry/configmaps/${i}`), value: randomBytes(i % 300) }),
      ),
    );
    await source.etcd.unary('KV/Put', { key: b('/registry/large'), value: randomBytes(1_000_000) });
    const revision = await put(source.etcd, '/registry/events/e', 'leased', id);
    const there = await copyToEtcd(source.etcd, target.etcd, '/registry', ignore);
    assert.deepEqual([there.keys, there.leased, there.revision, there.targetSum], [1103, 1, revision, there.sourceSum]);
    assert.deepEqual(await contents(target.etcd), await contents(source.etcd));
    const all = await target.etcd.unary('KV/Range', { key: b('\0'), rangeEnd: b('\0'), keysOnly: true });
    assert.equal(all.count, 1103, 'nothing else is left there');
    assert.ok(
      all.kvs.every((kv) => kv.modRevision > revision),
      'an object never has a resourceVersion that a client has seen for another',
    );
    const { ttl } = await target.etcd.unary('Lease/LeaseTimeToLive', { id, keys: true });
    assert.ok(ttl > 500 && ttl <= 600, String(ttl));
    const watch = new WatchProbe(target.etcd);
    watch.write({ createRequest: { key: b('/registry/'), rangeEnd: b('/registry0'), startRevision: early } });
    let answer = await watch.next();
    while (!answer.canceled) answer = await watch.next();
    assert.ok(answer.compactRevision > revision, 'who watches is told to list again');
    await assert.rejects(
      copyToEtcd(source.etcd, target.etcd, '/registry', ignore),
      /holds 1103 keys already, the first is "\/registry\/a": name an empty one/,
    );

    const dataDir = join(target.folder, 'back');
    const back = await copyFromEtcd(target.etcd, dataDir, '/registry', 1000, ignore);
    assert.deepEqual(
      [back.keys, back.leased, back.targetSum, back.sourceSum],
      [1103, 1, there.sourceSum, there.sourceSum],
    );
    assert.equal(back.targetRevision, back.revision + 1000);
    assert.deepEqual(verifyStore(dataDir).findings, []);
    await withStore(dataDir, async (etcd) => assert.deepEqual(await contents(etcd), await contents(source.etcd)));
    await assert.rejects(copyFromEtcd(target.etcd, dataDir, '/registry', 1000, ignore), /back is not empty/);
    rmSync(dataDir, { recursive: true });
  });

  test('refuses an etcd that would need millions of writes to raise its revision and names the alternative', async () => {
    await using source = await temporaryStore();
    const dataDir = join(source.folder, 'far');
    await copyFromEtcd(source.etcd, dataDir, '/registry', 1_000_000_000, ignore);
    await using target = await temporaryStore();
    await withStore(dataDir, (far) =>
      assert.rejects(
        copyToEtcd(far, target.etcd, '/registry', ignore),
        /raised to 1000000001 by a write each: end the etcd, .* --bump-revision 1000000001 --mark-compacted"/,
      ),
    );
    assert.equal(
      (await target.etcd.unary('KV/Range', { key: b('\0'), rangeEnd: b('\0') })).header?.revision,
      1,
      'nothing was written',
    );
  });

  test('fails with advice when the source compacts the copied revision', async () => {
    await using source = await temporaryStore();
    await using target = await temporaryStore();
    const puts = Array.from({ length: 600 }, (_, i) => put(source.etcd, `/registry/k/${i}`, 'v'));
    const revision = Math.max(...(await Promise.all(puts)));
    let pages = 0;
    const compacting: EtcdTransport = {
      unary: async (method, request, options) => {
        if (method === 'KV/Range' && pages++ === 2)
          await source.etcd.unary('KV/Compact', {
            revision: await put(source.etcd, '/registry/k/0', String(revision)),
          });
        return source.etcd.unary(method, request, options);
      },
      stream: source.etcd.stream.bind(source.etcd),
      close: () => Promise.resolve(),
    };
    await assert.rejects(
      copyToEtcd(compacting, target.etcd, '/registry', ignore),
      /^Error: the revision that is copied was compacted meanwhile: end the API servers, which compact, and copy again$/,
    );
  });
});
