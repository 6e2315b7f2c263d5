import type { DatabaseSync } from 'node:sqlite';
import { connectLog, logTables, randomId } from '#servers/store/mvcc/log-file.ts';
import { addToTally, emptyTally, leaseSum, takeFromTally } from '#servers/store/mvcc/log-state.ts';
import { rowSums } from '#servers/store/mvcc/row-sum.ts';
import { writeRaisedState } from './raise-revision.ts';

/** Writes the database of a new store: rows and leases, then the state. Only {@link StoreFile.finish} commits. */
export class StoreFile implements Disposable {
  readonly #database: DatabaseSync;
  readonly #insert;
  readonly #putLease;
  readonly #remove;
  #rows = emptyTally;
  #leases = emptyTally;

  constructor(path: string) {
    this.#database = connectLog(path);
    this.#database.exec(`BEGIN; ${logTables}`);
    this.#insert = this.#database.prepare(
      'INSERT INTO log (id, revision, deleted, head_sum, sum, kv) VALUES (?, ?, 0, ?, ?, ?)',
    );
    this.#remove = this.#database.prepare('DELETE FROM log WHERE id = ? RETURNING sum');
    this.#remove.setReturnArrays(true);
    this.#putLease = this.#database.prepare('INSERT INTO lease VALUES (?, ?)');
  }

  get keys(): number {
    return this.#rows.count;
  }

  /** @param kv stored form (kv-encoding.ts) of a live version */
  addRow(id: number, revision: number, kv: Uint8Array): void {
    const sums = rowSums(id, revision, false, kv);
    this.#insert.run(id, revision, sums.head, sums.whole, kv);
    this.#rows = addToTally(this.#rows, sums.whole);
  }

  removeRow(id: number): void {
    const [sum] = this.#remove.get(id) as unknown as readonly [number];
    this.#rows = takeFromTally(this.#rows, sum);
  }

  addLease(id: string, ttlSeconds: number): void {
    this.#putLease.run(id, ttlSeconds);
    this.#leases = addToTally(this.#leases, leaseSum(id, ttlSeconds));
  }

  /**
   * Writes the state.
   * @param revision revision of the replaced store @returns the revision at which the new store begins
   */
  finish(revision: number, bump: number): number {
    const ids = { clusterId: randomId(), memberId: randomId() };
    const raised = writeRaisedState(
      this.#database,
      {
        ...ids,
        revision,
        compactRevision: -1,
        alarms: [],
        rows: this.#rows,
        leases: this.#leases,
        unsealed: undefined,
      },
      ids,
      bump,
    );
    this.#database.exec('COMMIT');
    return raised;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
