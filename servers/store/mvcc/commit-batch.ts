import type { LogRow } from './log-reader.ts';

/** The changes of one commit. */
export interface CommitChanges {
  readonly rows: readonly LogRow[];
  /** Ids of rows to delete. */
  readonly deletedIds: readonly number[];
  /** A TTL of 0 removes the lease. */
  readonly leases: readonly { id: string; ttl: number }[];
  readonly state: StateChange;
}

/** {@link CommitChanges} as plain data that can be sent to the worker thread. */
export interface CommitBatch extends Omit<CommitChanges, 'rows' | 'deletedIds'> {
  /** Rows packed by {@link packRows}; a buffer of a message is transferred to the worker, and back with the answer. */
  readonly rows: Uint8Array;
  readonly deletedIds: Float64Array;
}

/** Changes of the store's state (log-state.ts) by a commit, beside those that follow from its rows and leases. */
export interface StateChange {
  readonly compactRevision?: number;
  readonly alarms?: readonly string[];
}

export interface CommitResult {
  readonly fileBytes: number;
  readonly freeBytes: number;
  /** Whether every row has its checksums. */
  readonly sealed: boolean;
  /** Whether the reserve of disk space is complete (space-reserve.ts). */
  readonly reserved: boolean;
  /** Set if `store.tip` could not be written (served-tip.ts). */
  readonly isTipStale?: boolean;
}

/** What the worker thread starts with. */
export interface WorkerStart {
  readonly databasePath: string;
  /** The open `store.tip`; undefined if there is none. */
  readonly tipFile: number | undefined;
  readonly reservePath: string;
  /** Size of the reserve; 0 for none. */
  readonly reserveBytes: number;
  /** Whether each commit is on the disk before it is acknowledged; otherwise a power failure may lose it. */
  readonly flushes: boolean;
}

/** A task for the worker, which processes one at a time. */
export type WorkerTask =
  | { readonly kind: 'commit'; readonly batch: CommitBatch }
  /** Returns up to `pages` free pages to the file system. */
  | { readonly kind: 'shrink'; readonly pages: number }
  /** Rewrites the whole file. */
  | { readonly kind: 'defragment' }
  /** Adds checksums to up to `rows` rows of a file of format 1. */
  | { readonly kind: 'seal'; readonly rows: number }
  /** Writes a part of an incomplete reserve, if the disk has room for twice the reserve. */
  | { readonly kind: 'reserve' }
  | { readonly kind: 'close' };

export type WorkerAnswer =
  | { readonly ok: true; readonly result: CommitResult; readonly rows?: Uint8Array | undefined }
  /** `ofSlot`: the answer to the commit in the slot (commit-slot.ts). */
  | { readonly ok: false; readonly failure: CommitFailure; readonly message: string; readonly ofSlot?: boolean };

/**
 * Why a task failed: no room on the disk or a damaged file, both without any change. After `unknown` the state of the
 * file is unknown.
 */
export type CommitFailure = 'full' | 'damaged' | 'unknown';

const headBytes = 24;
const smallestBytes = 64 * 1024;

/** The bytes that {@link packRows} writes. */
export function packedBytes(rows: readonly LogRow[]): number {
  let size = 8;
  for (const row of rows) size += headBytes + row.kv.length;
  return size;
}

/** Memory for a packed batch of this size, to be used again for later ones. */
export function newPackedRows(size: number): Uint8Array {
  return new Uint8Array(Math.max(size, smallestBytes));
}

/**
 * Packs rows into memory that has room for them. Each has a head of three float64 (id, revision, length of its bytes,
 * negative for a deletion), then the bytes.
 */
export function packRows(rows: readonly LogRow[], packed: Uint8Array): Uint8Array {
  const view = new DataView(packed.buffer, packed.byteOffset);
  view.setFloat64(0, rows.length);
  let at = 8;
  for (const row of rows) {
    view.setFloat64(at, row.id);
    view.setFloat64(at + 8, row.revision);
    view.setFloat64(at + 16, row.deleted ? -row.kv.length : row.kv.length);
    packed.set(row.kv, at + headBytes);
    at += headBytes + row.kv.length;
  }
  return packed;
}

export function unpackRows(
  packed: Uint8Array,
  visit: (id: number, revision: number, deleted: boolean, kv: Uint8Array) => void,
): void {
  const view = new DataView(packed.buffer, packed.byteOffset);
  let at = 8;
  for (let rest = view.getFloat64(0); rest > 0; rest--) {
    const length = view.getFloat64(at + 16);
    const start = at + headBytes;
    at = start + Math.abs(length);
    visit(
      view.getFloat64(start - headBytes),
      view.getFloat64(start - headBytes + 8),
      length < 0,
      packed.subarray(start, at),
    );
  }
}
