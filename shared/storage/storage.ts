/**
 * A key with its value at one revision. `value` never changes, but it may be a view on a larger chunk that arrived from
 * etcd: decode it, or copy it to keep it for long.
 */
export interface StoredKeyValue {
  readonly key: string;
  readonly value: Uint8Array;
  readonly createRevision: number;
  readonly modRevision: number;
  /** Decimal lease id; empty without a lease. */
  readonly lease: string;
  /** True where the value would be encrypted otherwise today: a write without a change is to rewrite it. */
  readonly isStale?: boolean;
  /** Why the value could not be decrypted, which is then as it is stored. Only in what asks for such values. */
  readonly failure?: UnreadableError;
}

export type StorageErrorCode =
  | 'KeyExists'
  | 'KeyNotFound'
  | 'Compacted'
  | 'FutureRevision'
  | 'Unavailable'
  | 'DeadlineExceeded'
  | 'TooLarge'
  | 'NoSpace'
  | 'Unauthenticated'
  | 'Cancelled'
  /** The value cannot be decrypted. */
  | 'Unreadable'
  | 'Internal';

/** Every failure of storage. Branch on `code`. */
export class StorageError extends Error {
  readonly code: StorageErrorCode;
  readonly key: string;
  /** Compaction revision for `Compacted`, that of the value for `Unreadable`; otherwise 0. */
  readonly revision: number;
  /**
   * True for a write that etcd may have received and carried out, before or after this error. A retry might carry it
   * out twice, so the client has to get the error.
   */
  readonly outcomeUnknown: boolean;
  constructor(
    code: StorageErrorCode,
    message: string,
    details: { key?: string; revision?: number; outcomeUnknown?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'StorageError';
    this.code = code;
    this.key = details.key ?? '';
    this.revision = details.revision ?? 0;
    this.outcomeUnknown = details.outcomeUnknown ?? false;
  }
}

/** A stored value that cannot be decrypted, with the configuration of encryption as it is at present. */
export class UnreadableError extends StorageError {
  /** The whole key in etcd. */
  readonly storedKey: string;

  /** `revision` is that of the value, for a deletion without reading it. The message is the reason alone. */
  constructor(
    message: string,
    details: { readonly key: string; readonly storedKey: string; readonly revision: number; readonly cause?: unknown },
  ) {
    super('Unreadable', message, details);
    this.name = 'UnreadableError';
    this.storedKey = details.storedKey;
  }

  /** The error of a list, which names the object (etcd3/store.go). */
  inList(): UnreadableError {
    const { message, key, storedKey, revision, cause } = this;
    const text = `unable to transform key ${JSON.stringify(storedKey)}: ${message}`;
    return new UnreadableError(text, { key, storedKey, revision, cause });
  }
}

export interface StorageListOptions {
  /** At most this many keys; 0 for all (the implementation reads them in pages). */
  readonly limit?: number;
  /** First key to return (inclusive); default: the prefix itself. */
  readonly startKey?: string;
  /** Exact revision; 0 for the newest. Throws `Compacted` or `FutureRevision`. */
  readonly revision?: number;
  /** Whether values that cannot be decrypted are returned with their failure. Default: the first is thrown. */
  readonly keepsUnreadable?: boolean;
  /** Whether keys are counted alone, and none is returned. */
  readonly onlyCount?: boolean;
  /** Whether keys and their revisions are read alone; values are empty then. */
  readonly onlyKeys?: boolean;
}

export interface ListResult {
  readonly items: readonly StoredKeyValue[];
  /** Revision of the listed state. */
  readonly revision: number;
  /** Keys under the prefix from `startKey` on, `items` included. */
  readonly count: number;
  readonly more: boolean;
}

/** Outcome of a conditional write. `current` is the state that made it fail (absent: no such key). */
export type CasResult =
  | { readonly ok: true; readonly revision: number }
  | { readonly ok: false; readonly revision: number; readonly current?: StoredKeyValue };

/** One step of {@link Storage.transact}. `expectedRevision` 0: the key must not exist; absent: no condition. */
export interface TransactionOp {
  readonly key: string;
  readonly expectedRevision?: number;
  /** Undefined deletes; absent together with `checkOnly` only compares. */
  readonly value?: Uint8Array;
  readonly checkOnly?: boolean;
}

export type StorageEvent =
  | { readonly type: 'put'; readonly kv: StoredKeyValue }
  | { readonly type: 'delete'; readonly key: string; readonly revision: number };

export interface StorageWatchHandlers {
  /**
   * Events in order; all events of one revision come in one call. `revision` is that of the last one. Values that cannot
   * be decrypted come with their failure.
   */
  onEvents(events: readonly StorageEvent[], revision: number): void;
  /** Everything up to `revision` has been delivered. */
  onProgress(revision: number): void;
  /** The watch has ended (`Compacted`: list again). Broken connections are not reported: the watch resumes itself. */
  onError(error: StorageError): void;
}

export interface StorageWatchOptions {
  /** Deliver deletions alone. Default: all events. */
  readonly onlyDeletions?: boolean;
}

export interface StorageWatch {
  /** Whether events arrive at present: not before etcd has confirmed the watch, nor while the connection is broken. */
  readonly isOpen: boolean;
  close(): void;
}

/**
 * How many revisions before the present one a watch cache begins. As many changes are read again at each start, in the
 * reference none: a watch from an older revision has to list again there.
 */
export const resumedRevisions = 1_000;

/** The revision from which a watch cache that is filled now can serve watches at little cost. */
export async function recentRevision(storage: Pick<Storage, 'currentRevision' | 'compactedRevision'>): Promise<number> {
  const [current, compacted] = await Promise.all([storage.currentRevision(), storage.compactedRevision()]);
  return Math.max(1, current - resumedRevisions, compacted);
}

/**
 * The operations of etcd that the registry and the watch caches use. Callers pass keys without the configured prefix
 * (`/pods/default/a`); the implementation adds it (`/registry/pods/default/a`).
 */
export interface Storage {
  get(key: string): Promise<{ readonly kv?: StoredKeyValue; readonly revision: number }>;
  list(prefix: string, options?: StorageListOptions): Promise<ListResult>;
  /** Throws `KeyExists`. */
  create(
    key: string,
    value: Uint8Array,
    options?: { readonly ttlSeconds?: number },
  ): Promise<{ readonly revision: number }>;
  /** Replaces the value if the key is still at `expectedRevision`. */
  compareAndSwap(
    key: string,
    expectedRevision: number,
    value: Uint8Array,
    options?: { readonly ttlSeconds?: number },
  ): Promise<CasResult>;
  compareAndDelete(key: string, expectedRevision: number): Promise<CasResult>;
  /** Runs all ops or none. A failure names the key of an op whose condition did not hold. */
  transact(
    ops: readonly TransactionOp[],
  ): Promise<
    | { readonly ok: true; readonly revision: number }
    | { readonly ok: false; readonly failedKey: string; readonly revision: number }
  >;
  /** Newest revision by a linearizable read that started after the call; concurrent callers share one. */
  currentRevision(): Promise<number>;
  /** Watches from `fromRevision` (inclusive) on the one stream of the process. */
  watch(
    prefix: string,
    fromRevision: number,
    handlers: StorageWatchHandlers,
    options?: StorageWatchOptions,
  ): StorageWatch;
  /** The newest revision that a write of this process made, 0 before the first; known without a read. */
  readonly writtenRevision: number;
  /**
   * Counts from now on how often objects below a prefix may have become unreadable without a change in storage, since
   * keys of their encryption were taken away. Undefined where that cannot happen.
   */
  countLosses?(prefix: string): (() => number) | undefined;
  /** Asks for a progress report on the shared watch stream. */
  requestProgress(): void;
  compact(revision: number): Promise<void>;
  /**
   * The revision below which history is compacted, as servers recorded it in etcd; may be some seconds old. 0 if
   * nothing is compacted.
   */
  compactedRevision(): Promise<number>;
  /**
   * Where watch caches begin: {@link resumedRevisions} before the newest revision at the time when `ready` was first
   * answered, and at least 1; 0 before. Clients that watched before a restart of the server go on from there.
   */
  readonly resumeRevision: number;
  /** Bytes that the database of etcd takes on its disk; throws after `timeoutMs`. */
  databaseBytes(timeoutMs: number): Promise<number>;
  /** Resolves when etcd answers; throws with the reason after `timeoutMs`. */
  ready(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}
