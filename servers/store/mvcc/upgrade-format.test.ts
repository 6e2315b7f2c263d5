import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { verifyStore } from '#servers/store/commands/verify-store.ts';
import { startStore } from '#servers/store/start/start-store.ts';
import { list } from '#servers/store/testing/contract-context.ts';
import { FrameTransport } from '#shared/storage/etcd-wire/frame-transport.ts';
import { CommitThread } from './commit-thread.ts';
import { encodeKeyValue } from './kv-encoding.ts';
import { loadState } from './load-state.ts';
import { connectLog, logPaths, openLogFile } from './log-file.ts';

const rows = 25;

/** A file as format 1 had it. */
function writeFormat1(dataDir: string): void {
  openLogFile(dataDir).close();
  const database = connectLog(logPaths(dataDir).database);
  database.exec(`
    DROP TABLE state; DROP TABLE log; DROP TABLE lease;
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE log (id INTEGER PRIMARY KEY, revision INTEGER NOT NULL, deleted INTEGER NOT NULL, kv BLOB NOT NULL);
    CREATE TABLE lease (id TEXT PRIMARY KEY, ttl INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO meta VALUES ('format', '1'), ('clusterId', '17'), ('memberId', '18'), ('compactRevision', '1'), ('alarms', 'NOSPACE');
    INSERT INTO lease VALUES ('7', 60);`);
  const insert = database.prepare('INSERT INTO log VALUES (?, ?, ?, ?)');
  for (let id = 1; id <= rows; id++)
    insert.run(
      id,
      id + 1,
      0,
      encodeKeyValue(
        {
          key: `k/${String(id).padStart(3, '0')}`,
          createRevision: id + 1,
          modRevision: id + 1,
          version: 1,
          lease: '0',
        },
        Buffer.from(`value ${id}`),
      ),
    );
  database.close();
}

describe('upgrade of store format 1', () => {
  test('serves the file at once and adds checksums page by page', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'store-upgrade-'));
    const dataDir = join(folder, 'data');
    const socketPath = join(folder, 'socket');
    try {
      writeFormat1(dataDir);
      const file = openLogFile(dataDir);
      const loaded = loadState(file);
      assert.deepEqual(
        [loaded.revision, loaded.lastId, loaded.compactRevision, loaded.alarms, loaded.leases],
        [rows + 1, rows, 1, ['NOSPACE'], [{ id: '7', ttl: 60 }]],
      );
      assert.equal(loaded.reader.kv(3)?.toString('latin1').endsWith('value 3'), true);
      const thread = new CommitThread({
        databasePath: file.paths.database,
        tipFile: undefined,
        reservePath: file.paths.reserve,
        reserveBytes: 0,
        flushes: true,
      });
      let pages = 0;
      while (!(await thread.ask({ kind: 'seal', rows: 10 })).sealed) pages++;
      assert.equal(pages, 2);
      await thread.close();
      file.close();
      assert.deepEqual(verifyStore(dataDir), {
        path: join(dataDir, 'store.db'),
        revision: rows + 1,
        rows,
        findings: [],
      });
      const store = await startStore({ dataDir, listenUnixSocket: socketPath });
      const etcd = new FrameTransport({ socketPath });
      assert.equal((await list(etcd, 'k/')).length, rows);
      assert.equal((await etcd.unary('Maintenance/Status', {})).leader, '18');
      await etcd.close();
      await store.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
