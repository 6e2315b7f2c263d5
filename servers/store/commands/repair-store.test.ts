import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { startStore } from '../start-store.ts';
import { FrameTransport } from '../../../shared/storage/etcd-wire/frame-transport.ts';
import { b, list } from '../testing/contract-context.ts';
import { copyDataDir, damage, damageKinds } from '../testing/damage-cases.ts';
import { temporaryStore } from '../testing/temporary-store.ts';
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
  const putAll = (version: number): Promise<unknown> => etcd.unary('KV/Txn', { success: Array.from({ length: keys }, (_, i) => ({ requestPut: { key: b(`k/${i}`), value: b(value(i, version)) } })) });
  await putAll(1);
  await putAll(2);
  await etcd.close();
  await store.close();
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** What a store made by a repair serves. */
async function served(home: string): Promise<Map<string, string>> {
  await using store = await temporaryStore({}, home);
  return new Map((await list(store.etcd, 'k/')).map((kv) => [kv.key.toString(), kv.value.toString()]));
}

function changeValue(dataDir: string, where: string): void {
  const database = new DatabaseSync(join(dataDir, 'store.db'));
  database.exec(`UPDATE log SET kv = CAST(substr(kv, 1, length(kv) - 1) || x'00' AS BLOB) WHERE ${where}`);
  database.close();
}

test('a key whose newest version is damaged is left out and named with its older one, which is taken on request', async () => {
  const dataDir = join(folder, 'one');
  copyDataDir(whole, dataDir);
  changeValue(dataDir, `id = ${keys + 6}`);
  const bytes = readFileSync(join(dataDir, 'store.db'));
  const report = await repairStore(dataDir, join(folder, 'left', 'data'), false, 10);
  assert.equal(report.keys, keys - 1);
  assert.deepEqual(report.leftOut, [`key "k/5": its newest version is damaged; --take-older takes that of revision 2, which is whole`]);
  assert.deepEqual(readFileSync(join(dataDir, 'store.db')), bytes, 'the old file is as it was');
  assert.deepEqual(verifyStore(join(folder, 'left', 'data')).findings, []);
  const left = await served(join(folder, 'left'));
  assert.equal(left.has('k/5'), false);
  await repairStore(dataDir, join(folder, 'taken', 'data'), true, 10);
  assert.equal((await served(join(folder, 'taken'))).get('k/5'), value(5, 1));
});

test('a key without any version that is whole is named', async () => {
  const dataDir = join(folder, 'none');
  copyDataDir(whole, dataDir);
  changeValue(dataDir, `id IN (6, ${keys + 6})`);
  const { leftOut } = await repairStore(dataDir, join(folder, 'none-left'), true, 10);
  assert.equal(leftOut.length, 2);
  for (const line of leftOut) assert.match(line, /^key "k\/5": row \d+ of the log \(revision \d+\) does not match its checksum, and no older version of it is whole$/);
});

test('where the page with the last rows is damaged, all others are kept', async () => {
  const dataDir = join(folder, 'last');
  copyDataDir(whole, dataDir);
  const database = new DatabaseSync(join(dataDir, 'store.db'));
  const [pageSize, root] = ['page_size', 'rootpage'].map((name) => Number(Object.values(database.prepare(name === 'rootpage' ? "SELECT rootpage FROM sqlite_master WHERE name = 'log'" : 'PRAGMA page_size').get() ?? {})[0])) as [number, number];
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
  assert.ok(leftOut.some((line) => /^rows \d+ to \d+ of the log cannot be read: which keys they were of is not known/.test(line)), leftOut.join('\n'));
  assert.ok(leftOut.length < 5, leftOut.join('\n'));
  assert.equal((await served(join(folder, 'last-new'))).size, kept);
});

for (const kind of damageKinds) {
  test(`every key that is whole is kept, and nothing else: ${kind}`, async () => {
    for (let seed = 1; seed <= seeds; seed++) {
      const dataDir = join(folder, `${kind}-${seed}`);
      const home = join(folder, `${kind}-${seed}-new`);
      copyDataDir(whole, dataDir);
      damage(dataDir, 'store.db', kind, seed);
      let report;
      try {
        report = await repairStore(dataDir, join(home, 'data'), false, 10);
      } catch (error) {
        assert.match((error as Error).message, /store\.db cannot be read at all \(.+\): restore a snapshot or a copy$/);
        continue;
      }
      const kept = await served(home);
      const unknown = report.leftOut.filter((line) => line.includes('not known')).length;
      for (const [key, text] of kept) {
        const i = Number(key.slice(2));
        if (unknown === 0) assert.equal(text, value(i, 2), key);
        else assert.ok([1, 2].some((version) => text === value(i, version)), key);
      }
      if (verifyStore(dataDir).findings.length === 0) assert.equal(kept.size, keys);
      if (kept.size < keys) assert.notEqual(report.leftOut.length, 0);
    }
  });
}

test('what a repair makes is a store that is served and written', async () => {
  const dataDir = join(folder, 'served');
  await repairStore(whole, dataDir, false, 10);
  const socketPath = join(folder, 'socket');
  const store = await startStore({ dataDir, listenUnixSocket: socketPath });
  await store.close();
  assert.equal(verifyStore(dataDir).revision, 3 + 10);
});
