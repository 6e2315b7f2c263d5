import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { unpackRows } from './commit-batch.ts';
import type {
  CommitBatch,
  CommitFailure,
  CommitResult,
  WorkerAnswer,
  WorkerStart,
  WorkerTask,
} from './commit-batch.ts';
import { DurableTip, isFullDisk } from './durable-tip.ts';
import { failedToRead, noRoomForIndex } from './log-damage.ts';
import { connectLog } from './log-file.ts';
import { addToTally, leaseSum, prepareStateWriter, readState, takeFromTally, writeState } from './log-state.ts';
import type { LogState } from './log-state.ts';
import { rowSums } from './row-sum.ts';
import { sealRows } from './seal-rows.ts';
import { SpaceReserve } from './space-reserve.ts';

const sqliteFull = 13;
/** The sizes in answers are read again after so many bytes of rows: each reading takes as long as writing a row. */
const sizesForBytes = 64 * 1024;

/** Writes commits to the database, each one whole or not at all. It runs on a thread of its own (commit-worker.ts). */
export class LogWriter {
  readonly #database: DatabaseSync;
  readonly #tip: DurableTip;
  readonly #reserve: SpaceReserve;
  readonly #statements;
  /** The state in the file, which only this thread writes. */
  #state: LogState;
  #sizes: Pick<CommitResult, 'fileBytes' | 'freeBytes'>;
  /** Bytes of rows since the sizes were read. */
  #unmeasuredBytes = 0;

  constructor({ databasePath, tipFile, reservePath, reserveBytes, flushes }: WorkerStart) {
    this.#reserve = new SpaceReserve(reservePath, reserveBytes);
    this.#database = connectLog(databasePath);
    this.#tip = new DurableTip(tipFile, flushes);
    if (!flushes) this.#database.exec('PRAGMA synchronous = OFF');
    this.#state = readState(this.#database);
    const prepare = (sql: string): StatementSync => this.#database.prepare(sql);
    const arrays = (sql: string): StatementSync => {
      const statement = prepare(sql);
      statement.setReturnArrays(true);
      return statement;
    };
    const count = (pragma: string) => {
      const statement = arrays(`PRAGMA ${pragma}`);
      return (): number => (statement.get() as unknown as [number])[0];
    };
    this.#statements = {
      begin: prepare('BEGIN IMMEDIATE'),
      commit: prepare('COMMIT'),
      insert: prepare('INSERT INTO log (id, revision, deleted, head_sum, sum, kv) VALUES (?, ?, ?, ?, ?, ?)'),
      remove: arrays('DELETE FROM log WHERE id = ? RETURNING sum'),
      putLease: prepare('INSERT INTO lease VALUES (?, ?)'),
      removeLease: arrays('DELETE FROM lease WHERE id = ? RETURNING ttl'),
      putState: prepareStateWriter(this.#database),
      pages: count('page_count'),
      freePages: count('freelist_count'),
      pageSize: count('page_size'),
    };
    this.#sizes = this.#measure();
  }

  answer(task: WorkerTask): WorkerAnswer {
    try {
      if (task.kind === 'commit') {
        const isTold = this.#commit(task.batch);
        if (this.#unmeasuredBytes >= sizesForBytes) this.#sizes = this.#measure();
        return { ok: true, result: isTold ? this.#result() : { ...this.#result(), isTipStale: true } };
      }
      if (task.kind === 'shrink') this.#database.exec(`PRAGMA incremental_vacuum(${task.pages})`);
      else if (task.kind === 'defragment') this.#defragment();
      else if (task.kind === 'seal') this.#seal(task.rows);
      else if (task.kind === 'reserve') this.#growReserve();
      else return this.#close();
      this.#sizes = this.#measure();
      return { ok: true, result: this.#result() };
    } catch (error) {
      return { ok: false, failure: this.#takeBack(error), message: (error as Error).message };
    }
  }

  /** @returns whether readers of `store.tip` can know of it */
  #commit(batch: CommitBatch): boolean {
    const statements = this.#statements;
    let { rows, leases, revision } = this.#state;
    let rowBytes = 0;
    statements.begin.run();
    unpackRows(batch.rows, (id, rowRevision, deleted, kv) => {
      const sums = rowSums(id, rowRevision, deleted, kv);
      statements.insert.run(id, rowRevision, deleted ? 1 : 0, sums.head, sums.whole, kv);
      rows = addToTally(rows, sums.whole);
      rowBytes += kv.length;
      revision = rowRevision;
    });
    for (const id of batch.deletedIds) {
      const sum = (statements.remove.get(id) as unknown as readonly [number | null] | undefined)?.[0];
      if (typeof sum === 'number') rows = takeFromTally(rows, sum);
    }
    for (const { id, ttl } of batch.leases) {
      const before = (statements.removeLease.get(id) as unknown as readonly [number] | undefined)?.[0];
      if (before !== undefined) leases = takeFromTally(leases, leaseSum(id, before));
      if (ttl === 0) continue;
      statements.putLease.run(id, ttl);
      leases = addToTally(leases, leaseSum(id, ttl));
    }
    const state = { ...this.#state, ...batch.state, rows, leases, revision };
    writeState(statements.putState, state);
    statements.commit.run();
    this.#state = state;
    this.#unmeasuredBytes += batch.deletedIds.length > 0 ? sizesForBytes : rowBytes;
    // Last, as it must not be ahead of the database, and before the answer, as nobody may hear of it earlier.
    return this.#tip.write(revision);
  }

  #seal(limit: number): void {
    this.#statements.begin.run();
    const state = sealRows(this.#database, this.#state, limit);
    writeState(this.#statements.putState, state);
    this.#statements.commit.run();
    this.#state = state;
  }

  #defragment(): void {
    this.#database.exec('VACUUM');
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  #growReserve(): void {
    try {
      this.#reserve.grow();
    } catch (error) {
      if (!isFullDisk((error as NodeJS.ErrnoException).code)) throw error;
    }
  }

  #close(): WorkerAnswer {
    this.#database.close();
    return { ok: true, result: { fileBytes: 0, freeBytes: 0, sealed: true, reserved: true } };
  }

  #takeBack(error: unknown): CommitFailure {
    try {
      // If the disk is full, SQLite may have rolled back by itself already.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    } catch {
      return 'unknown';
    }
    const errcode = (error as { errcode?: number }).errcode ?? 0;
    if ((errcode & 0xff) === sqliteFull || errcode === noRoomForIndex) {
      this.#reserve.giveUp();
      return 'full';
    }
    return failedToRead(errcode) ? 'damaged' : 'unknown';
  }

  #result(): CommitResult {
    return { ...this.#sizes, sealed: this.#state.unsealed === undefined, reserved: this.#reserve.isWhole };
  }

  #measure(): Pick<CommitResult, 'fileBytes' | 'freeBytes'> {
    const { pages, freePages, pageSize } = this.#statements;
    this.#unmeasuredBytes = 0;
    return { fileBytes: pages() * pageSize(), freeBytes: freePages() * pageSize() };
  }
}
