import type { LogRow } from './log-reader.ts';

/** What one commit changes. Plain data: it crosses to the worker thread. */
export interface CommitBatch {
  /** Rows packed by {@link packRows}; its memory moves to the worker, and back with the answer. */
  readonly rows: ArrayBuffer;
  /** Rows to delete. */
  readonly deletedIds: Float64Array;
  /** A TTL of 0 removes the lease. */
  readonly leases: readonly { id: string; ttl: number }[];
  readonly state: StateChange;
}

/** What a commit changes of the store's state (log-state.ts) beside what follows from its rows and leases. */
export interface StateChange {
  readonly compactRevision?: number;
  readonly alarms?: readonly string[];
}

export interface CommitResult {
  readonly fileBytes: number;
  readonly freeBytes: number;
  /** Every row has its checksums. */
  readonly sealed: boolean;
  /** The reserve of disk space is there (space-reserve.ts). */
  readonly reserved: boolean;
}

/** What the worker thread is started with. */
export interface WorkerStart {
  readonly databasePath: string;
  readonly tipPath: string;
  readonly reservePath: string;
  /** Size of the reserve; 0: none. */
  readonly reserveBytes: number;
}

/** What is asked of the worker, one at a time. */
export type WorkerTask =
  | { readonly kind: 'commit'; readonly batch: CommitBatch }
  /** Gives up to so many free pages back to the file system. */
  | { readonly kind: 'shrink'; readonly pages: number }
  /** Rewrites the whole file. */
  | { readonly kind: 'defragment' }
  /** Gives up to so many rows of an older file their checksums. */
  | { readonly kind: 'seal'; readonly rows: number }
  /** Makes a part of the reserve where it is missing and there is room for it twice. */
  | { readonly kind: 'reserve' }
  | { readonly kind: 'close' };

export type WorkerAnswer =
  | { readonly ok: true; readonly result: CommitResult; readonly rows?: ArrayBuffer | undefined }
  | { readonly ok: false; readonly failure: CommitFailure; readonly message: string };

/** Why nothing was changed: no room on the disk, or a damaged file. After `unknown` nobody knows what was changed. */
export type CommitFailure = 'full' | 'damaged' | 'unknown';

const headBytes = 24;
const smallestBytes = 64 * 1024;

/**
 * Head of each row: id, revision, and the length of its bytes, negative for a deletion (three float64); then the bytes.
 * @param reuse memory of an earlier batch, taken when it is large enough
 */
export function packRows(rows: readonly LogRow[], reuse: ArrayBuffer | undefined): ArrayBuffer {
  let size = 8;
  for (const row of rows) size += headBytes + row.kv.length;
  const packed =
    reuse !== undefined && reuse.byteLength >= size ? reuse : new ArrayBuffer(Math.max(size, smallestBytes));
  const view = new DataView(packed);
  const bytes = new Uint8Array(packed);
  view.setFloat64(0, rows.length);
  let at = 8;
  for (const row of rows) {
    view.setFloat64(at, row.id);
    view.setFloat64(at + 8, row.revision);
    view.setFloat64(at + 16, row.deleted ? -row.kv.length : row.kv.length);
    bytes.set(row.kv, at + headBytes);
    at += headBytes + row.kv.length;
  }
  return packed;
}

export function unpackRows(
  packed: ArrayBuffer,
  visit: (id: number, revision: number, deleted: boolean, kv: Uint8Array) => void,
): void {
  const view = new DataView(packed);
  let at = 8;
  for (let rest = view.getFloat64(0); rest > 0; rest--) {
    const length = view.getFloat64(at + 16);
    const size = Math.abs(length);
    visit(view.getFloat64(at), view.getFloat64(at + 8), length < 0, new Uint8Array(packed, at + headBytes, size));
    at += headBytes + size;
  }
}
