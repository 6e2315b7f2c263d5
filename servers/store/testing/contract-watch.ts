import assert from 'node:assert/strict';
import { b, endOf, put, WatchProbe } from './contract-context.ts';
import type { ContractCase, ContractContext } from './contract-context.ts';

function watching(run: (context: ContractContext, probe: WatchProbe) => Promise<void>): ContractCase['run'] {
  return async (context) => {
    const probe = new WatchProbe(context.etcd);
    try {
      await run(context, probe);
    } finally {
      probe.close();
    }
  };
}

export const watchContract: ContractCase[] = [
  {
    name: 'confirms a watch and sends the events of its range only',
    run: watching(async ({ etcd, prefix }, probe) => {
      const before = await put(etcd, `${prefix}a`, 'early');
      const created = await probe.create({ key: b(prefix), rangeEnd: endOf(prefix) });
      assert.deepEqual([created.created, created.canceled, created.header?.revision], [true, false, before]);
      await put(etcd, `${prefix}a`, '1');
      await put(etcd, `elsewhere${prefix}`, '1');
      await etcd.unary('KV/DeleteRange', { key: b(`${prefix}a`) });
      assert.deepEqual(await probe.events(2), [`PUT ${prefix}a=1`, `DELETE ${prefix}a`]);
    }),
  },
  {
    name: 'sends history from the start revision and then live events',
    run: watching(async ({ etcd, prefix }, probe) => {
      const first = await put(etcd, `${prefix}a`, '1');
      await put(etcd, `${prefix}a`, '2');
      await etcd.unary('KV/DeleteRange', { key: b(`${prefix}a`) });
      await probe.create({ key: b(prefix), rangeEnd: endOf(prefix), startRevision: first });
      await put(etcd, `${prefix}b`, '3');
      assert.deepEqual(await probe.events(4), [
        `PUT ${prefix}a=1`,
        `PUT ${prefix}a=2`,
        `DELETE ${prefix}a`,
        `PUT ${prefix}b=3`,
      ]);
    }),
  },
  {
    name: 'sends no event before a start revision in the future',
    run: watching(async ({ etcd, prefix }, probe) => {
      const now = await put(etcd, `${prefix}a`, '0');
      await probe.create({ key: b(prefix), rangeEnd: endOf(prefix), startRevision: now + 2 });
      await put(etcd, `${prefix}a`, '1');
      await put(etcd, `${prefix}a`, '2');
      assert.deepEqual(await probe.events(1), [`PUT ${prefix}a=2`]);
    }),
  },
  {
    name: 'sends previous values with live events and with history',
    run: watching(async ({ etcd, prefix }, probe) => {
      const key = `${prefix}a`;
      const first = await put(etcd, key, '1');
      await put(etcd, key, '2');
      const previous = async (count: number): Promise<(string | undefined)[]> => {
        const values: (string | undefined)[] = [];
        while (values.length < count)
          values.push(...(await probe.next()).events.map((event) => event.prevKv?.value.toString()));
        return values;
      };
      await probe.create({ key: b(key), prevKv: true, startRevision: first });
      assert.deepEqual(await previous(2), [undefined, '1']);
      await put(etcd, key, '3');
      await etcd.unary('KV/DeleteRange', { key: b(key) });
      await put(etcd, key, '4');
      assert.deepEqual(await previous(3), ['2', '3', undefined]);
    }),
  },
  {
    name: 'leaves out puts or deletions when a filter is set',
    run: watching(async ({ etcd, prefix }, probe) => {
      await probe.create({ key: b(prefix), rangeEnd: endOf(prefix), filters: ['NOPUT'], watchId: 7 });
      await probe.create({ key: b(prefix), rangeEnd: endOf(prefix), filters: ['NODELETE'], watchId: 8 });
      await put(etcd, `${prefix}a`, '1');
      await etcd.unary('KV/DeleteRange', { key: b(`${prefix}a`) });
      const messages = [await probe.next(), await probe.next()].toSorted((x, y) => x.watchId - y.watchId);
      assert.deepEqual(
        messages.map((m) => [m.watchId, m.events.map((event) => event.type)]),
        [
          [7, ['DELETE']],
          [8, ['PUT']],
        ],
      );
    }),
  },
  {
    name: 'counts watch ids from 0, keeps a chosen id and refuses its second use',
    run: watching(async ({ prefix }, probe) => {
      assert.equal((await probe.create({ key: b(prefix) })).watchId, 0);
      assert.equal((await probe.create({ key: b(prefix), watchId: 1 })).watchId, 1);
      assert.equal((await probe.create({ key: b(prefix) })).watchId, 2);
      const refused = await probe.create({ key: b(prefix), watchId: 1 });
      assert.deepEqual(
        [refused.watchId, refused.created, refused.canceled, refused.cancelReason],
        [-1, true, true, 'mvcc: duplicate watch ID provided on the WatchStream'],
      );
      const empty = await probe.create({ key: b('z'), rangeEnd: b('a') });
      assert.deepEqual(
        [empty.watchId, empty.created, empty.canceled, empty.cancelReason],
        [-1, true, true, 'mvcc: watcher range is empty'],
      );
    }),
  },
  {
    name: 'confirms the cancellation of a watch and sends no further events',
    run: watching(async ({ etcd, prefix }, probe) => {
      const { watchId } = await probe.create({ key: b(`${prefix}a`) });
      probe.write({ cancelRequest: { watchId } });
      const answer = await probe.next();
      assert.deepEqual(
        [answer.watchId, answer.canceled, answer.cancelReason, answer.compactRevision],
        [watchId, true, '', 0],
      );
      await probe.create({ key: b(`${prefix}b`) });
      await put(etcd, `${prefix}a`, '1');
      await put(etcd, `${prefix}b`, '1');
      assert.deepEqual(await probe.events(1), [`PUT ${prefix}b=1`]);
    }),
  },
  {
    name: 'cancels a watch that starts below the compacted revision and returns that revision',
    run: watching(async ({ etcd, prefix }, probe) => {
      const first = await put(etcd, `${prefix}a`, '1');
      const second = await put(etcd, `${prefix}a`, '2');
      await etcd.unary('KV/Compact', { revision: second, physical: true });
      const { watchId } = await probe.create({ key: b(prefix), rangeEnd: endOf(prefix), startRevision: first });
      const answer = await probe.next();
      assert.deepEqual([answer.watchId, answer.canceled, answer.compactRevision], [watchId, true, second]);
      await probe.create({ key: b(prefix), rangeEnd: endOf(prefix), startRevision: second });
      assert.deepEqual(await probe.events(1), [`PUT ${prefix}a=2`]);
    }),
  },
  {
    name: 'sends a deletion at the compacted revision to a watch that starts there',
    run: watching(async ({ etcd, prefix }, probe) => {
      await put(etcd, `${prefix}a`, '1');
      const deleted = (await etcd.unary('KV/DeleteRange', { key: b(`${prefix}a`) })).header?.revision as number;
      await put(etcd, `${prefix}b`, '1');
      await etcd.unary('KV/Compact', { revision: deleted, physical: true });
      await probe.create({ key: b(prefix), rangeEnd: endOf(prefix), startRevision: deleted });
      assert.deepEqual(await probe.events(2), [`DELETE ${prefix}a`, `PUT ${prefix}b=1`]);
    }),
  },
  {
    name: 'answers a progress request with the current revision for the whole stream',
    run: watching(async ({ etcd, prefix }, probe) => {
      await probe.create({ key: b(prefix), rangeEnd: endOf(prefix) });
      const revision = await put(etcd, `elsewhere${prefix}`, '1');
      probe.write({ progressRequest: {} });
      const answer = await probe.next();
      assert.deepEqual([answer.watchId, answer.events.length, answer.header?.revision], [-1, 0, revision]);
    }),
  },
  {
    name: 'sends all events of one revision in one response',
    run: watching(async ({ etcd, prefix }, probe) => {
      await probe.create({ key: b(prefix), rangeEnd: endOf(prefix) });
      const names = Array.from({ length: 100 }, (_, i) => `${prefix}${String(i).padStart(3, '0')}`);
      await etcd.unary('KV/Txn', { success: names.map((name) => ({ requestPut: { key: b(name) } })) });
      assert.deepEqual(
        (await probe.next()).events.map((event) => event.kv?.key.toString()),
        names,
      );
      await etcd.unary('KV/DeleteRange', { key: b(prefix), rangeEnd: endOf(prefix) });
      assert.equal((await probe.next()).events.length, 100);
    }),
  },
  {
    name: 'splits a large response only for a watch that allows fragments',
    run: watching(async ({ etcd, prefix }, probe) => {
      const first = await put(etcd, `${prefix}start`);
      const value = Buffer.alloc(700 * 1024, 'x');
      for (let i = 0; i < 3; i++) await etcd.unary('KV/Put', { key: b(`${prefix}${i}`), value });
      await etcd.unary('KV/DeleteRange', { key: b(prefix), rangeEnd: endOf(prefix) });
      await probe.create({
        key: b(prefix),
        rangeEnd: endOf(prefix),
        startRevision: first + 4,
        prevKv: true,
        fragment: true,
      });
      const parts = [await probe.next()];
      while (parts.at(-1)?.fragment === true) parts.push(await probe.next());
      assert.ok(parts.length > 1);
      assert.equal(
        parts.reduce((sum, part) => sum + part.events.length, 0),
        4,
      );
      await probe.create({ key: b(prefix), rangeEnd: endOf(prefix), startRevision: first + 4, prevKv: true });
      const whole = await probe.next();
      assert.deepEqual([whole.fragment, whole.events.length], [false, 4]);
    }),
  },
];
