import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SeededRandom } from '#test/robustness/faults/seeded-random.ts';
import { b, endOf, list, put, WatchProbe } from './testing/contract-context.ts';
import { temporaryStore, type TemporaryStore } from './testing/temporary-store.ts';

describe('rollback of the store', () => {
  let rig: TemporaryStore;
  before(async () => {
    rig = await temporaryStore();
  });
  after(() => rig[Symbol.asyncDispose]());

  const remove = (key: string): Promise<unknown> => rig.etcd.unary('KV/DeleteRange', { key: b(key) });
  /** Keys with values, as text. */
  const contents = async (prefix: string): Promise<string[]> =>
    (await list(rig.etcd, prefix)).map(({ key, value }) => `${key.toString()}=${value.toString()}`);

  test('of changed, new, deleted and created again keys, restores all, each in a revision of its own', async () => {
    const { etcd, store } = rig;
    const long = `kinds/${'long'.repeat(300)}`;
    for (const key of ['kinds/changed', 'kinds/deleted', 'kinds/again', 'kinds/same', long])
      await put(etcd, key, 'then');
    const earlier = await list(etcd, 'kinds/');
    const mark = store.mark([]);
    await put(etcd, 'kinds/changed', 'now');
    await put(etcd, 'kinds/new', 'now');
    await put(etcd, long, 'now');
    await remove('kinds/deleted');
    await remove('kinds/again');
    await put(etcd, 'kinds/again', 'now');
    await put(etcd, 'kinds/passing', 'now');
    await remove('kinds/passing');
    const last = await put(etcd, 'kinds/new', 'newer');
    const probe = new WatchProbe(etcd);
    await probe.create({ key: b('kinds/'), rangeEnd: endOf('kinds/') });

    assert.equal(await store.rollBack(mark), 5);

    const { events } = await probe.next();
    probe.close();
    assert.deepEqual(events.map(({ type, kv }) => `${type} ${kv?.key.toString().slice(0, 14)}`).toSorted(), [
      'DELETE kinds/new',
      'PUT kinds/again',
      'PUT kinds/changed',
      'PUT kinds/deleted',
      `PUT ${long.slice(0, 14)}`,
    ]);
    assert.deepEqual(
      events.map(({ kv }) => kv?.modRevision),
      [1, 2, 3, 4, 5].map((nth) => last + nth),
    );
    const restored = await list(etcd, 'kinds/');
    assert.deepEqual(
      restored.map(({ key, value }) => [key.toString(), value.toString()]),
      earlier.map(({ key, value }) => [key.toString(), value.toString()]),
    );
    const same = restored.find(({ key }) => key.toString() === 'kinds/same');
    assert.equal(same?.modRevision, earlier.find(({ key }) => key.toString() === 'kinds/same')?.modRevision);
    store.release(mark);
  });

  test('to one mark twice, with another one between, restores the same', async () => {
    const { etcd, store } = rig;
    await put(etcd, 'twice/a', '1');
    const first = store.mark([]);
    await put(etcd, 'twice/a', '2');
    const second = store.mark([]);
    await put(etcd, 'twice/b', '3');
    await store.rollBack(first);
    assert.deepEqual(await contents('twice/'), ['twice/a=1']);
    await put(etcd, 'twice/a', '4');
    await store.rollBack(first);
    assert.deepEqual(await contents('twice/'), ['twice/a=1']);
    await store.rollBack(second);
    assert.deepEqual(await contents('twice/'), ['twice/a=2']);
    assert.equal(await store.rollBack(second), 0);
    for (const mark of [first, second]) store.release(mark);
  });

  test('of a key under a lease, keeps it under the lease, and away when the lease has ended', async () => {
    const { etcd, store } = rig;
    const runs = (await etcd.unary('Lease/LeaseGrant', { ttl: 1_000 })).id;
    const ended = (await etcd.unary('Lease/LeaseGrant', { ttl: 1_000 })).id;
    await put(etcd, 'leased/runs', 'then', runs);
    await put(etcd, 'leased/ended', 'then', ended);
    const mark = store.mark([]);
    await put(etcd, 'leased/runs', 'now');
    await etcd.unary('Lease/LeaseRevoke', { id: ended });
    await put(etcd, 'leased/ended', 'now');
    await store.rollBack(mark);
    assert.deepEqual(
      (await list(etcd, 'leased/')).map(({ key, value, lease }) => [key.toString(), value.toString(), lease]),
      [['leased/runs', 'then', runs]],
    );
    await etcd.unary('Lease/LeaseRevoke', { id: runs });
    assert.deepEqual(await contents('leased/'), []);
    store.release(mark);
  });

  test('leaves keys with the given prefixes as they are', async () => {
    const { etcd, store } = rig;
    const mark = store.mark(['kept/own/']);
    await put(etcd, 'kept/own/a', 'now');
    await put(etcd, 'kept/other', 'now');
    await store.rollBack(mark);
    assert.deepEqual(await contents('kept/'), ['kept/own/a=now']);
    store.release(mark);
  });

  test('with writes before and after it that nobody awaited, undoes those before and keeps those after', async () => {
    const { etcd, store } = rig;
    const mark = store.mark([]);
    const before = Array.from({ length: 50 }, (_, index) => put(etcd, `race/before-${index}`, 'now'));
    // All requests of a connection are served in order: when this one is answered, those before it are applied.
    await put(etcd, 'race/last', 'now');
    const undone = store.rollBack(mark);
    await undone;
    const after = await put(etcd, 'race/after', 'now');
    await Promise.all(before);
    assert.deepEqual(await contents('race/'), ['race/after=now']);
    assert.ok(after > (await Promise.all(before)).length);
    store.release(mark);
  });

  test('while a mark is set, compactions keep what it needs, and go on when it is released', async () => {
    const { etcd, store } = rig;
    const then = await put(etcd, 'compacted/a', 'then');
    const mark = store.mark([]);
    const newest = await put(etcd, 'compacted/a', 'now');
    await etcd.unary('KV/Compact', { revision: newest, physical: true });
    await store.rollBack(mark);
    assert.deepEqual(await contents('compacted/'), ['compacted/a=then']);
    store.release(mark);
    await etcd.unary('KV/Compact', { revision: newest, physical: true });
    await assert.rejects(etcd.unary('KV/Range', { key: b('compacted/a'), revision: then }), /compacted/);
  });

  test('refuses a mark that was released, and one of another store', async () => {
    await using other = await temporaryStore();
    const mark = rig.store.mark([]);
    rig.store.release(mark);
    const message = 'the mark was released, or is one of another store';
    await assert.rejects(rig.store.rollBack(mark), { message });
    await assert.rejects(rig.store.rollBack(other.store.mark([])), { message });
  });

  test('of random writes by several clients, always restores what the mark had', async () => {
    const { etcd, store } = rig;
    const random = new SeededRandom(51);
    const change = async (): Promise<void> => {
      const key = `random/${random.between(0, 30)}`;
      await (random.chance(0.4) ? remove(key) : put(etcd, key, String(random.next())));
    };
    for (let round = 0; round < 30; round++) {
      for (let count = random.between(0, 20); count > 0; count--) await change();
      const then = await contents('random/');
      const mark = store.mark([]);
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          for (let count = random.between(0, 20); count > 0; count--) await change();
        }),
      );
      await store.rollBack(mark);
      assert.deepEqual(await contents('random/'), then, `round ${round}`);
      store.release(mark);
    }
  });
});
