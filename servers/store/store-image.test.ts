import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SameRows, StoreImage } from './mvcc/store-image.ts';
import { b, endOf, list, put, WatchProbe } from './testing/contract-context.ts';
import { temporaryStore, type TemporaryStore } from './testing/temporary-store.ts';

async function contents({ etcd }: TemporaryStore, prefix: string): Promise<string[]> {
  return (await list(etcd, prefix)).map(({ key, value }) => `${key.toString()}=${value.toString()}`);
}

/** An image that the test releases at its end. */
function imageOf({ store }: TemporaryStore, leftOut: readonly string[] = []): StoreImage & Disposable {
  const image = store.image(leftOut);
  return { ...image, [Symbol.dispose]: () => image.release() };
}

describe('image of a store', () => {
  test('adopted by another store, gives it the same keys in one revision, and what is equal is not written', async () => {
    await using source = await temporaryStore();
    await using target = await temporaryStore();
    for (const key of ['k/changed', 'k/new', 'k/same']) await put(source.etcd, key, 'then');
    for (const key of ['k/changed', 'k/gone']) await put(target.etcd, key, 'other');
    await put(target.etcd, 'k/same', 'then');
    const last = await put(target.etcd, 'kept/one', 'own');
    await put(source.etcd, 'kept/one', 'not taken');
    const probe = new WatchProbe(target.etcd);
    await probe.create({ key: b('k/'), rangeEnd: endOf('k/') });

    using image = imageOf(source, ['kept/']);
    assert.equal(await target.store.adopt(image, ['kept/']), 3);

    const { events } = await probe.next();
    probe.close();
    assert.deepEqual(events.map(({ type, kv }) => `${type} ${kv?.key.toString()} ${kv?.modRevision}`).toSorted(), [
      `DELETE k/gone ${last + 1}`,
      `PUT k/changed ${last + 1}`,
      `PUT k/new ${last + 1}`,
    ]);
    assert.deepEqual(await contents(target, 'k/'), await contents(source, 'k/'));
    assert.deepEqual(await contents(target, 'kept/'), ['kept/one=own']);
  });

  test('stays as it was taken while its store goes on and compacts', async () => {
    await using source = await temporaryStore();
    await using target = await temporaryStore();
    for (let at = 0; at < 500; at++) await put(source.etcd, `k/${at}`, 'then');
    using image = imageOf(source);
    const last = await put(source.etcd, 'k/1', 'now');
    await put(source.etcd, 'k/499', 'now');
    await source.etcd.unary('KV/Compact', { revision: last, physical: true });
    await target.store.adopt(image, []);
    assert.equal((await contents(target, 'k/')).filter((line) => line.endsWith('=then')).length, 500);
  });

  test('adopted again with the rows that were the same, writes what either side changed since', async () => {
    await using source = await temporaryStore();
    await using target = await temporaryStore();
    for (const key of ['k/1', 'k/2', 'k/3', 'k/4']) await put(source.etcd, key, 'then');
    const same: SameRows = new Map();
    using first = imageOf(source);
    assert.equal(await target.store.adopt(first, [], same), 4);
    await put(source.etcd, 'k/1', 'now');
    await put(target.etcd, 'k/2', 'own');
    await target.etcd.unary('KV/DeleteRange', { key: b('k/3') });
    await put(source.etcd, 'k/5', 'now');
    using second = imageOf(source);
    assert.equal(await target.store.adopt(second, [], same), 4);
    assert.deepEqual(await contents(target, 'k/'), await contents(source, 'k/'));
    using third = imageOf(source);
    assert.equal(await target.store.adopt(third, [], same), 0);
  });

  test('holds keys under leases with what was left of their time, and none whose lease has ended', async () => {
    await using source = await temporaryStore();
    await using target = await temporaryStore();
    for (const [id, ttl] of [
      ['7', 100],
      ['8', 100],
    ] as const)
      await source.etcd.unary('Lease/LeaseGrant', { id, ttl });
    await source.etcd.unary('KV/Put', { key: b('k/leased'), value: b('v'), lease: '7' });
    await source.etcd.unary('KV/Put', { key: b('k/ended'), value: b('v'), lease: '8' });
    await source.etcd.unary('Lease/LeaseRevoke', { id: '8' });
    using image = imageOf(source);
    await target.store.adopt(image, []);
    const { ttl, keys } = await target.etcd.unary('Lease/LeaseTimeToLive', { id: '7', keys: true });
    assert.ok(ttl > 90 && ttl <= 100, `${ttl}`);
    assert.deepEqual(keys.map(String), ['k/leased']);
    assert.deepEqual(await contents(target, 'k/'), ['k/leased=v']);
  });
});
