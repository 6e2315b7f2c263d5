import assert from 'node:assert/strict';
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { DurableTip } from '#servers/store/mvcc/durable-tip.ts';
import { startStore } from '#servers/store/start/start-store.ts';
import { b, put } from '#servers/store/testing/contract-context.ts';
import { copyDataDir, damage, damageKinds } from '#servers/store/testing/damage-cases.ts';
import { rowPositions, untouchedRows } from '#servers/store/testing/row-positions.ts';
import type { RowPosition } from '#servers/store/testing/row-positions.ts';
import { changeValue, served } from '#servers/store/testing/stored-values.ts';
import { temporaryStore } from '#servers/store/testing/temporary-store.ts';
import { FrameTransport } from '#shared/storage/etcd-wire/frame-transport.ts';
import { repairStore } from './repair-store.ts';
import { verifyStore } from './verify-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'store-repair-'));
const whole = join(folder, 'whole');
const keys = 60;
/** Of each kind of damage; DAMAGE_SEEDS gives more. */
const seeds = Number(process.env['DAMAGE_SEEDS'] ?? 1);
const value = (i: number, version: number): string => `${i}/${version} `.repeat(20 + (i % 7) * 300);

before(async () => {
  const socketPath = join(folder, 'socket');
  const store = await startStore({ dataDir: whole, listenUnixSocket: socketPath });
  const etcd = new FrameTransport({ socketPath });
  const putAll = (version: number): Promise<unknown> =>
    etcd.unary('KV/Txn', {
      success: Array.from({ length: keys }, (_, i) => ({
        requestPut: { key: b(`k/${i}`), value: b(value(i, version)) },
      })),
    });
  await putAll(1);
  await putAll(2);
  await etcd.close();
  await store.close();
});
after(() => rmSync(folder, { recursive: true, force: true }));

describe('store repair', () => {
  test('leaves out a key with a damaged newest version, or restores its older version on request', async () => {
    const dataDir = join(folder, 'one');
    copyDataDir(whole, dataDir);
    changeValue(dataDir, `id = ${keys + 6}`);
    const bytes = readFileSync(join(dataDir, 'store.db'));
    const report = await repairStore(dataDir, join(folder, 'left', 'data'), false, 10);
    assert.equal(report.keys, keys - 1);
    assert.deepEqual(report.leftOut, [
      `key "k/5": its newest version is damaged; --take-older takes that of revision 2, which is whole`,
    ]);
    assert.deepEqual(readFileSync(join(dataDir, 'store.db')), bytes, 'the old file is as it was');
    assert.deepEqual(verifyStore(join(folder, 'left', 'data')).findings, []);
    const left = await served(join(folder, 'left'));
    assert.equal(left.has('k/5'), false);
    await repairStore(dataDir, join(folder, 'taken', 'data'), true, 10);
    assert.equal((await served(join(folder, 'taken'))).get('k/5'), value(5, 1));
  });

  test('reports a key without an undamaged version', async () => {
    const dataDir = join(folder, 'none');
    copyDataDir(whole, dataDir);
    changeValue(dataDir, `id IN (6, ${keys + 6})`);
    const { leftOut } = await repairStore(dataDir, join(folder, 'none-left'), true, 10);
    assert.deepEqual(leftOut, [
      `key "k/5": row ${keys + 6} of the log (revision 3) does not match its checksum, and no older version of it is whole`,
    ]);
  });

  test('keeps all rows outside a damaged last page', async () => {
    const dataDir = join(folder, 'last');
    copyDataDir(whole, dataDir);
    const database = new DatabaseSync(join(dataDir, 'store.db'));
    const [pageSize, root] = ['page_size', 'rootpage'].map((name) =>
      Number(
        Object.values(
          database
            .prepare(name === 'rootpage' ? "SELECT rootpage FROM sqlite_master WHERE name = 'log'" : 'PRAGMA page_size')
            .get() ?? {},
        )[0],
      ),
    ) as [number, number];
    database.close();
    const file = openSync(join(dataDir, 'store.db'), 'r+');
    try {
      // An interior page names its last child at offset 8.
      const page = Buffer.alloc(pageSize);
      let last = root;
      for (;;) {
        readSync(file, page, 0, pageSize, (last - 1) * pageSize);
        if (page[0] !== 5) break;
        last = page.readUInt32BE(8);
      }
      assert.notEqual(last, root);
      writeSync(file, Buffer.alloc(pageSize), 0, pageSize, (last - 1) * pageSize);
    } finally {
      closeSync(file);
    }
    const { keys: kept, leftOut } = await repairStore(dataDir, join(folder, 'last-new', 'data'), false, 10);
    assert.ok(kept > keys / 2, String(kept));
    assert.ok(
      leftOut.some((line) => /^\d+ rows are missing: which keys they were of is not known/.test(line)),
      leftOut.join('\n'),
    );
    assert.ok(leftOut.length < 5, leftOut.join('\n'));
    assert.equal((await served(join(folder, 'last-new'))).size, kept);
  });

  /** Live keys of which no byte is changed in the damaged copy of `whole`. */
  function untouchedKeys(dataDir: string): string[] {
    const copy = `${dataDir}-places`;
    copyDataDir(whole, copy);
    const untouched = untouchedRows(rowPositions(copy), whole, dataDir);
    return Array.from({ length: keys }, (_, i) => i)
      .filter((i) => untouched.has(keys + i + 1))
      .map((i) => `k/${i}`);
  }

  for (const kind of damageKinds) {
    test(`keeps every undamaged key after damage of kind ${kind}, and no other value`, async () => {
      for (let seed = 1; seed <= seeds; seed++) {
        const dataDir = join(folder, `${kind}-${seed}`);
        const home = join(folder, `${kind}-${seed}-new`);
        copyDataDir(whole, dataDir);
        damage(dataDir, 'store.db', kind, seed);
        const untouched = untouchedKeys(dataDir);
        const report = await repairStore(dataDir, join(home, 'data'), false, 10);
        const kept = await served(home);
        for (const key of untouched)
          assert.equal(kept.get(key), value(Number(key.slice(2)), 2), `${key}, seed ${seed}`);
        const unknown = report.leftOut.filter((line) => line.includes('not known')).length;
        for (const [key, text] of kept) {
          const i = Number(key.slice(2));
          if (unknown === 0) assert.equal(text, value(i, 2), key);
          else
            assert.ok(
              [1, 2].some((version) => text === value(i, version)),
              key,
            );
        }
        if (kept.size < keys) assert.notEqual(report.leftOut.length, 0);
      }
    });
  }

  test('keeps all rows below damaged inner pages, and all rows when the first pages are lost', async () => {
    for (const [name, lost] of [
      ['inner', innerPages()],
      ['first', [1, 2]],
    ] as const) {
      const dataDir = join(folder, name);
      copyDataDir(whole, dataDir);
      const file = openSync(join(dataDir, 'store.db'), 'r+');
      for (const page of lost) writeSync(file, Buffer.alloc(4096), 0, 4096, (page - 1) * 4096);
      closeSync(file);
      const { leftOut } = await repairStore(dataDir, join(folder, `${name}-new`, 'data'), false, 10);
      assert.equal((await served(join(folder, `${name}-new`))).size, keys);
      if (name === 'inner') assert.deepEqual(leftOut, []);
      else assert.match(leftOut.join('\n'), /^leases: /);
    }
  });

  function innerPages(): number[] {
    const copy = join(folder, 'tree');
    copyDataDir(whole, copy);
    const database = new DatabaseSync(join(copy, 'store.db'));
    const pages = database
      .prepare("SELECT pageno FROM dbstat WHERE name = 'log' AND pagetype = 'internal'")
      .all()
      .map((row) => row['pageno'] as number);
    database.close();
    assert.notEqual(pages.length, 0);
    return pages;
  }

  test('keeps the frames of the write-ahead log behind a damaged frame', async () => {
    const home = join(folder, 'log');
    const store = await temporaryStore({}, home);
    for (let i = 0; i < 20; i++) await put(store.etcd, `k/${i}`, value(i, 1));
    const dataDir = join(folder, 'log-damaged');
    copyDataDir(join(home, 'data'), dataDir);
    await store[Symbol.asyncDispose]();
    const file = openSync(join(dataDir, 'store.db-wal'), 'r+');
    // The checksum of a frame in the middle, and of the head: SQLite takes nothing of it.
    for (const at of [32 + 5 * 4120 + 16, 24]) writeSync(file, Buffer.from([0, 0, 0, 0]), 0, 4, at);
    // The kind of a page in each frame.
    for (let at = 32 + 24; at < fstatSync(file).size; at += 4120) {
      const kind = Buffer.alloc(1);
      readSync(file, kind, 0, 1, at);
      if (kind[0] === 0x0d) writeSync(file, Buffer.from([0x0c]), 0, 1, at);
    }
    closeSync(file);
    await repairStore(dataDir, join(folder, 'log-new', 'data'), false, 10);
    assert.equal((await served(join(folder, 'log-new'))).size, 20);
  });

  /** Frames of a write-ahead log begin behind its head, each with a head of its own. */
  const [logHeadBytes, frameBytes] = [32, 24 + 4096];

  for (const [what, takenOver] of [
    ['lost its end', false],
    ['lost its end while it was taken over into the file', true],
  ] as const) {
    test(`keeps acknowledged writes when the write-ahead log ${what}`, async () => {
      const home = join(folder, `end-${takenOver}`);
      const [dataDir, image, read] = ['damaged', 'image', 'read'].map((name) => `${home}-${name}`) as [
        string,
        string,
        string,
      ];
      copyDataDir(whole, join(home, 'data'));
      const store = await temporaryStore({}, home);
      await store.etcd.unary('KV/Txn', {
        success: Array.from({ length: keys }, (_, i) => ({ requestPut: { key: b(`k/${i}`), value: b(value(i, 3)) } })),
      });
      for (const copy of [dataDir, image, read]) copyDataDir(join(home, 'data'), copy);
      await store[Symbol.asyncDispose]();
      const places = rowPositions(read);
      const [log, file] = ['store.db-wal', 'store.db'].map((name) => openSync(join(dataDir, name), 'r+')) as [
        number,
        number,
      ];
      // In the midst of a page, behind the last of its cells, which lies in front of the others.
      const isInMidst = ([, only, more]: readonly RowPosition[]): boolean =>
        more === undefined && only?.name === 'store.db-wal' && (only.to - logHeadBytes) % frameBytes !== 0;
      const cell = [...places.values()].findLast(isInMidst)?.at(-1) as RowPosition;
      const { to } = cell;
      ftruncateSync(log, to);
      const page = Buffer.alloc(frameBytes);
      const taken = takenOver ? to : 0;
      for (let at = logHeadBytes; at + frameBytes < taken; at += frameBytes) {
        readSync(log, page, 0, frameBytes, at);
        if (page.readUInt32BE(0) <= 4) writeSync(file, page, 24, 4096, (page.readUInt32BE(0) - 1) * 4096);
      }
      closeSync(log);
      closeSync(file);
      const untouched = untouchedRows(places, image, dataDir);
      await repairStore(dataDir, join(`${home}-new`, 'data'), false, 10);
      const kept = await served(`${home}-new`);
      const wanted = Array.from({ length: keys }, (_, i) => i).filter((i) => untouched.has(2 * keys + i + 1));
      assert.ok(wanted.length > keys / 2);
      assert.deepEqual(
        wanted.filter((i) => kept.get(`k/${i}`) !== value(i, 3)),
        [],
      );
    });
  }

  test('reports acknowledged writes that are lost', async () => {
    const dataDir = join(folder, 'tip');
    copyDataDir(whole, dataDir);
    const tip = openSync(join(dataDir, 'store.tip'), 'r+');
    new DurableTip(tip, true).write(9);
    closeSync(tip);
    const { leftOut, revision } = await repairStore(dataDir, join(folder, 'tip-new'), false, 10);
    assert.deepEqual([leftOut.length, revision], [1, 19]);
    assert.match(
      leftOut[0] as string,
      /^writes up to revision 9 were acknowledged, and of those behind 3 nothing was found/,
    );
  });

  test('gives a key with a damaged lease a new lease', async () => {
    const home = join(folder, 'lease');
    const store = await temporaryStore({}, home);
    const { id } = await store.etcd.unary('Lease/LeaseGrant', { ttl: 60 });
    await put(store.etcd, 'k/leased', 'v', id);
    await store.restart().then((again) => again.store.close());
    const database = new DatabaseSync(join(home, 'data', 'store.db'));
    database.exec('DELETE FROM lease');
    database.close();
    const { leftOut } = await repairStore(join(home, 'data'), join(folder, 'lease-new', 'data'), false, 10);
    assert.deepEqual(leftOut, ['1 leases are damaged or missing: their keys end in 60 minutes']);
    await using repaired = await temporaryStore({}, join(folder, 'lease-new'));
    assert.deepEqual((await repaired.etcd.unary('Lease/LeaseTimeToLive', { id, keys: true })).keys.map(String), [
      'k/leased',
    ]);
  });

  test('creates a store that can be served and written', async () => {
    const dataDir = join(folder, 'served');
    await repairStore(whole, dataDir, false, 10);
    const socketPath = join(folder, 'socket');
    const store = await startStore({ dataDir, listenUnixSocket: socketPath });
    await store.close();
    assert.equal(verifyStore(dataDir).revision, 3 + 10);
  });
});
