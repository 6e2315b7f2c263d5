import type { EtcdRpcError } from '#shared/storage/etcd-wire/transport.ts';
import type { CommitResult, StateChange, WorkerTask } from './commit-batch.ts';
import { CommitQueue } from './commit-queue.ts';
import type { CommitWriter, PendingCommit } from './commit-queue.ts';
import { DiskFullError } from './commit-thread.ts';
import { refuseRequest, refuseDamaged } from './etcd-errors.ts';
import type { VersionRef } from './key-entry.ts';
import { KeyEntry } from './key-entry.ts';
import type { KeyIndex } from './key-index.ts';
import { encodeKeyValue } from './kv-encoding.ts';
import type { LoadedState } from './load-state.ts';
import { LogDamagedError } from './log-damage.ts';
import type { LogReader } from './log-reader.ts';
import { RecentValues } from './recent-values.ts';
import type { AppliedChange } from './write-txn.ts';
import { WriteTxn } from './write-txn.ts';

export interface StoreEvents {
  /** Called with changes that have become durable, in order, before their writers get an answer. */
  onChanges(changes: readonly AppliedChange[]): void;
  /**
   * Called when a key was attached to a lease or detached from it; `'0'` is no lease. Also called for undone changes.
   */
  onLeaseOfKey(key: string, from: string, to: string): void;
  onDiskFull(): void;
  /** Called when `store.tip` lacks a change that is durable. Resolves when its writer may be answered. */
  onTipStale(): Promise<void>;
  /** Called when the file is damaged, once for each of the first damages. */
  onDamage(detail: string): void;
  onFatal(error: Error): void;
}

/** Fields of a commit beside the changed keys. */
export interface CommitExtras {
  leases?: readonly { id: string; ttl: number }[];
  state?: StateChange;
  deletedIds?: readonly number[];
  undo?: () => void;
  /** The revision of the changes, larger than all so far. Default: the next one. */
  revision?: number;
}

/**
 * The multi-version store. A write changes the index at once (the *applied* state, on which later writes build). When
 * it is on the disk (the *durable* state), it is answered, and becomes visible to watches and reads.
 */
export class MvccStore {
  readonly index: KeyIndex;
  readonly reader: LogReader;
  readonly #writer: CommitWriter;
  readonly #queue: CommitQueue;
  readonly #events: StoreEvents;
  readonly #recent: RecentValues;
  /** Stored forms of rows that are not on the disk yet, by id. */
  readonly #pendingRows = new Map<number, Buffer>();
  /** Damages that were reported. */
  readonly #reported = new Set<string>();
  #refusesWrites = false;
  #applied: number;
  #durable: number;
  #durableId: number;
  #nextId: number;
  #compacted: number;
  #sizes: CommitResult;

  constructor(state: LoadedState, writer: CommitWriter, events: StoreEvents, recentBytes: number) {
    this.index = state.index;
    this.reader = state.reader;
    this.#applied = this.#durable = state.revision;
    this.#durableId = state.lastId;
    this.#nextId = state.lastId + 1;
    this.#compacted = state.compactRevision;
    this.#sizes = state.sizes;
    this.#writer = writer;
    this.#events = events;
    this.#recent = new RecentValues(recentBytes);
    this.#queue = new CommitQueue(writer, {
      onDurable: (commits, result) => this.#onDurable(commits, result),
      onRefused: (error) => {
        this.#nextId = this.#durableId + 1;
        this.#pendingRows.clear();
        if (error instanceof LogDamagedError) this.damaged(error);
        else events.onDiskFull();
      },
      onTipStale: () => events.onTipStale(),
      onFatal: (error) => events.onFatal(error),
    });
  }

  /** Revision of the newest durable change. */
  get revision(): number {
    return this.#durable;
  }

  get appliedRevision(): number {
    return this.#applied;
  }

  /** Id of the last row that is on the disk. */
  get durableId(): number {
    return this.#durableId;
  }

  /** Revisions below this one are compacted; −1 before the first compaction. */
  get compactRevision(): number {
    return this.#compacted;
  }

  get sizes(): CommitResult {
    return this.#sizes;
  }

  /** @throws EtcdRpcError when a read cannot be answered at this revision */
  checkRevision(revision: number, current: number): void {
    if (revision > current) throw refuseRequest('futureRevision');
    if (revision !== 0 && revision < this.#compacted) throw refuseRequest('compacted');
  }

  /** Runs `change` as one revision. Resolves with its result when its changes are durable. */
  async write<T>(change: (txn: WriteTxn) => T, extras: CommitExtras = {}): Promise<T> {
    const revision = Math.max(extras.revision ?? 0, this.#applied + 1);
    const txn = new WriteTxn(this, revision, this.#nextId, (key, from, to) => this.#events.onLeaseOfKey(key, from, to));
    let result: T;
    try {
      result = change(txn);
    } catch (error) {
      txn.undo();
      throw error;
    }
    if (this.#refusesWrites && (txn.changes.length > 0 || changesMoreThanState(extras))) {
      txn.undo();
      extras.undo?.();
      throw refuseRequest('corrupt');
    }
    const previous = this.#applied;
    if (txn.changes.length > 0) this.#applied = txn.revision;
    else if (!hasExtras(extras)) return this.#readOnly(result);
    this.#nextId += txn.changes.length;
    for (const row of txn.changes) {
      this.#pendingRows.set(row.id, row.kv);
      if (!row.deleted) this.#recent.add(row.entry, row.kv);
    }
    const undo = (): void => {
      extras.undo?.();
      txn.undo();
      this.#applied = previous;
    };
    await this.#enqueue({
      revision: this.#applied,
      rows: txn.changes,
      deletedIds: extras.deletedIds ?? [],
      leases: extras.leases ?? [],
      state: extras.state ?? {},
      undo,
    });
    return result;
  }

  /** Stored forms of the rows that are applied and not on the disk yet, oldest first. */
  pendingRows(): Iterable<Buffer> {
    return this.#pendingRows.values();
  }

  /** Resolves when everything applied so far is durable. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** The stored bytes of one version of a key; undefined if that version was compacted. */
  bytes(ref: VersionRef): Buffer | undefined {
    if (ref instanceof KeyEntry && ref.bytes !== undefined) return ref.bytes;
    return this.bytesById(ref.id, ref.key);
  }

  /** @throws EtcdRpcError when the row is damaged */
  bytesById(id: number, key: string): Buffer | undefined {
    const pending = this.#pendingRows.get(id);
    if (pending !== undefined) return pending;
    const bytes = this.read(() => this.reader.kv(id), key);
    if (bytes === undefined && this.index.get(key)?.id === id)
      throw this.damaged(new LogDamagedError(`row ${id} of the log is missing`, { id }), key);
    return bytes;
  }

  /** Reads the log; reports damage. @throws EtcdRpcError when the log is damaged */
  read<T>(read: () => T, key?: string): T {
    try {
      return read();
    } catch (error) {
      throw error instanceof LogDamagedError ? this.damaged(error, key) : error;
    }
  }

  /** Reports damage. @returns the error for the client */
  damaged(error: LogDamagedError, key?: string): EtcdRpcError {
    const detail = key === undefined ? error.message : `${error.message}: key ${JSON.stringify(key)}`;
    if (!this.#reported.has(detail) && this.#reported.size < maxReported) {
      this.#reported.add(detail);
      this.#events.onDamage(detail);
    }
    return refuseDamaged(`the store's file is damaged: ${detail}`);
  }

  /** Refuses writes while the file counts as damaged (alarm CORRUPT). Alarms can still be changed. */
  refuseWrites(refused: boolean): void {
    this.#refusesWrites = refused;
  }

  /**
   * The stored form of a version without its value; for the newest version it is built without a read from the disk.
   */
  head(ref: VersionRef): Buffer | undefined {
    if (!(ref instanceof KeyEntry)) return this.bytesById(ref.id, ref.key);
    return encodeKeyValue(ref, noValue);
  }

  /** Sets the compact revision; the caller then removes older versions from the index (compactor.ts). */
  async compactTo(revision: number): Promise<void> {
    const previous = this.#compacted;
    this.#compacted = revision;
    await this.write(() => {}, { state: { compactRevision: revision }, undo: () => void (this.#compacted = previous) });
  }

  /** Runs a task on the file that changes no data. */
  async maintain(task: WorkerTask): Promise<void> {
    this.#sizes = await this.#writer.ask(task);
  }

  async #readOnly<T>(result: T): Promise<T> {
    // The result may depend on writes that are not durable yet.
    await this.#queue.settled().catch(asRefusal);
    return result;
  }

  #enqueue(commit: PendingCommit): Promise<void> {
    return this.#queue.add(commit).catch(asRefusal);
  }

  #onDurable(commits: readonly PendingCommit[], result: CommitResult): void {
    this.#sizes = result;
    const changes: AppliedChange[] = [];
    for (const commit of commits) {
      this.#durable = commit.revision;
      for (const row of commit.rows as readonly AppliedChange[]) {
        this.#durableId = row.id;
        this.#pendingRows.delete(row.id);
        changes.push(row);
      }
    }
    if (changes.length > 0) this.#events.onChanges(changes);
    this.#recent.trim(this.#durableId);
  }
}

const noValue = Buffer.alloc(0);

/** Largest number of reported damages; `store verify` lists all. */
const maxReported = 10;

function hasExtras(extras: CommitExtras): boolean {
  return extras.state !== undefined || changesMoreThanState(extras);
}

function changesMoreThanState(extras: CommitExtras): boolean {
  return extras.leases !== undefined || extras.deletedIds !== undefined || extras.state?.compactRevision !== undefined;
}

function asRefusal(error: unknown): never {
  if (error instanceof DiskFullError) throw refuseRequest('noSpace');
  throw error instanceof LogDamagedError ? refuseRequest('corrupt') : error;
}
