/**
 * The worker thread that writes. A commit waits for the disk; here that stops nothing but the next commit.
 * Its `workerData` is the path of the database.
 */
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { unpackRows } from './commit-batch.ts';
import type { CommitBatch, CommitResult, WorkerAnswer, WorkerTask } from './commit-batch.ts';
import { connectLog } from './log-file.ts';

const sqliteFull = 13;

class CommitWriter {
  readonly #database: DatabaseSync;
  readonly #statements;

  constructor(path: string) {
    this.#database = connectLog(path);
    const prepare = (sql: string) => this.#database.prepare(sql);
    const count = (pragma: string) => {
      const statement = prepare(`PRAGMA ${pragma}`);
      statement.setReturnArrays(true);
      return (): number => (statement.get() as unknown as [number])[0];
    };
    this.#statements = {
      begin: prepare('BEGIN IMMEDIATE'),
      commit: prepare('COMMIT'),
      insert: prepare('INSERT INTO log VALUES (?, ?, ?, ?)'),
      remove: prepare('DELETE FROM log WHERE id = ?'),
      putLease: prepare('INSERT OR REPLACE INTO lease VALUES (?, ?)'),
      removeLease: prepare('DELETE FROM lease WHERE id = ?'),
      putMeta: prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)'),
      removeMeta: prepare('DELETE FROM meta WHERE name = ?'),
      pages: count('page_count'),
      freePages: count('freelist_count'),
      pageSize: count('page_size'),
    };
  }

  answer(task: WorkerTask): WorkerAnswer {
    try {
      if (task.kind === 'commit') this.#commit(task.batch);
      else if (task.kind === 'shrink') this.#database.exec(`PRAGMA incremental_vacuum(${task.pages})`);
      else if (task.kind === 'defragment') this.#defragment();
      else this.#database.close();
      return { ok: true, result: task.kind === 'close' ? { fileBytes: 0, freeBytes: 0 } : this.#sizes() };
    } catch (error) {
      // After a full disk SQLite may have rolled back by itself already.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      return { ok: false, full: (error as { errcode?: number }).errcode === sqliteFull, message: (error as Error).message };
    }
  }

  #commit(batch: CommitBatch): void {
    const statements = this.#statements;
    statements.begin.run();
    unpackRows(batch.rows, (id, revision, deleted, kv) => statements.insert.run(id, revision, deleted ? 1 : 0, kv));
    for (const id of batch.deletedIds) statements.remove.run(id);
    for (const { id, ttl } of batch.leases) {
      if (ttl === 0) statements.removeLease.run(id);
      else statements.putLease.run(id, ttl);
    }
    for (const { name, value } of batch.meta) {
      if (value === null) statements.removeMeta.run(name);
      else statements.putMeta.run(name, value);
    }
    statements.commit.run();
  }

  #defragment(): void {
    this.#database.exec('VACUUM');
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  #sizes(): CommitResult {
    const pageSize = this.#statements.pageSize();
    return { fileBytes: this.#statements.pages() * pageSize, freeBytes: this.#statements.freePages() * pageSize };
  }
}

const port = parentPort;
if (port === null) throw new Error('commit-worker runs as a worker thread only');
const writer = new CommitWriter(workerData as string);
port.on('message', (task: WorkerTask) => {
  const answer = writer.answer(task);
  if (task.kind === 'commit' && answer.ok) port.postMessage({ ...answer, rows: task.batch.rows }, [task.batch.rows]);
  else port.postMessage(answer);
  if (task.kind === 'close') port.close();
});
