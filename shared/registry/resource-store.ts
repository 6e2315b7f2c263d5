import type { ResourceFacts } from '#shared/api/facts.ts';
import type { FieldError } from '#shared/apimachinery/errors/field-error.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { Int64 } from '#shared/apimachinery/values/int64.ts';
import type { CacheEntry, WatchCache } from '#shared/watchcache/watch-cache.ts';
import type { MalformedObjects } from './malformed-objects.ts';
import type { Pace } from './pace.ts';
import type { ConvertEntries } from './stored-form.ts';
import type { OperationContext, Strategy } from './strategy.ts';

/** The result of a write. */
export interface WriteResult {
  readonly entry: CacheEntry;
  readonly created: boolean;
}

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** DeleteOptions after decoding, defaults applied. */
export interface DeleteRequest {
  readonly gracePeriodSeconds?: Int64;
  readonly preconditions?: Preconditions;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly orphanDependents?: boolean;
}

/** What a deletion has settled of its options by the time that it is admitted. */
export interface SettledOptions {
  readonly gracePeriodSeconds?: Int64;
  readonly preconditions?: Preconditions;
}

/** Runs validating admission on the final state, inside the retry loop; throws to refuse. */
export type AdmitUpdate = (object: KubeObject, old: KubeObject) => Promise<void>;
export type AdmitCreate = (object: KubeObject) => Promise<void>;
/**
 * Admits the object that is to be deleted, with what the deletion has settled of its options. The object is a copy for
 * admission, made when it is first asked for.
 */
export type AdmitDelete = (old: () => KubeObject, settled: SettledOptions) => Promise<void>;

/**
 * Returns the changed object; called again after a conflict. May change `existing` in place, which was parsed from the
 * entry. Its steps run at the given pace.
 */
export type Transform = (
  existing: KubeObject | undefined,
  pace: Pace,
  entry: CacheEntry | undefined,
) => KubeObject | Promise<KubeObject>;

export interface UpdateRequest {
  readonly name: string;
  readonly transform: Transform;
  /** Which part is written: the object itself, its status, or another subresource. */
  readonly subresource: string;
  /** Mutating and validating admission of the new object. */
  readonly admit?: AdmitUpdate;
  readonly admitCreate?: AdmitCreate;
  /** Extra validation of a subresource. */
  readonly validate?: (object: KubeObject, old: KubeObject) => FieldError[];
  readonly preconditions?: Preconditions;
  /** Creates the object if it does not exist: apply, and PUT on resources that allow it. */
  readonly createIfMissing?: boolean;
  /**
   * Ignored: a write that finds a newer object is always retried from {@link transform}, and a 409 comes from the
   * resourceVersion in the body.
   */
  readonly retryOnConflict?: boolean;
  /**
   * `transform` does not change `existing`, and its result shares no parts with it that a step of the write changes;
   * this saves parsing it twice.
   */
  readonly leavesExisting?: boolean;
  /** `transform` returns an apply configuration, in a write that the server itself makes. */
  readonly applies?: boolean;
}

/** The outcome of a deletion. */
export interface DeleteResult {
  readonly entry: CacheEntry;
  /** False while finalizers or a grace period hold the object back. */
  readonly deleted: boolean;
  /** Whether the answer is the object; otherwise it is a Status that names it. */
  readonly answersObject: boolean;
}

/**
 * The generic store of one stored resource, shared by all its versions: reads from the watch cache, writes through
 * {@link Strategy} and compare-and-set (apiserver/pkg/registry/generic/registry Store).
 */
export interface ResourceStore {
  /** Facts of the storage version. */
  readonly facts: ResourceFacts;
  readonly strategy: Strategy;
  readonly cache: WatchCache;
  readonly malformed: MalformedObjects;
  /** Storage key of an object; without `name`, the key prefix of the objects of a namespace, or of all objects. */
  key(namespace: string, name?: string): string;
  /** Storage key of one object. Throws 400 if namespace or name is not valid in a key. */
  objectKey(namespace: string, name: string): string;
  /** The newest state, by a consistent read. Throws NotFound. */
  get(namespace: string, name: string): Promise<CacheEntry>;
  /**
   * Reads one object from storage, for what the cache cannot hold. Undefined if it is not there; rejects with the reason
   * why it cannot be read, see {@link isMalformation}.
   */
  readStored(key: string): Promise<CacheEntry | undefined>;
  /**
   * Whether an entry of the cache may not be readable in storage any more: for the newest state it has to be read again,
   * by {@link readStored}.
   */
  isDoubted(entry: CacheEntry): boolean;
  /**
   * Converts entries of the cache to the version of the requests, for answers. Absent where these need no webhook.
   * Writes return converted entries.
   */
  readonly convert?: ConvertEntries | undefined;
  /** A parsed copy of the object; the caller owns it. An entry that needs a webhook has to be converted before. */
  parse(entry: CacheEntry): KubeObject;
  create(object: KubeObject, context: OperationContext, admit?: AdmitCreate): Promise<WriteResult>;
  update(request: UpdateRequest, context: OperationContext): Promise<WriteResult>;
  delete(name: string, request: DeleteRequest, context: OperationContext, admit?: AdmitDelete): Promise<DeleteResult>;
  /** Removes an object that cannot be read. Throws a 422 for any other name. */
  deleteMalformed(name: string, context: OperationContext): Promise<void>;
}
