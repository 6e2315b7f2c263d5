import type { Buffer } from 'node:buffer';
import type { StoredKeyValue } from '#shared/storage/storage.ts';
import type { CacheReads } from './read-metrics.ts';

/** One object version as the cache holds it. Immutable; the same instance serves GET, LIST and every watcher. */
export interface CacheEntry {
  /** Storage key without the prefix of the cluster, `/configmaps/default/a`. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** Served JSON in the storage version (but see `apiVersion`), resourceVersion in place, without a trailing newline. */
  readonly json: Buffer;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** Values of the selectable fields beyond metadata.name and metadata.namespace; undefined if the kind has none. */
  readonly fields: Readonly<Record<string, string>> | undefined;
  /** Bytes of the value in storage, before encryption; 0 or undefined where nobody asks for it. */
  readonly storedBytes?: number;
  /** The stored bytes, only for the few objects whose JSON does not hold everything that is stored. */
  readonly unprinted?: Buffer;
  /** The apiVersion of the JSON, only where it is not the storage version (custom resources that a webhook converts). */
  readonly apiVersion?: string;
  /** Whether the object lies in storage in another version, or encrypted otherwise, than a write would store now. */
  readonly isOutdated?: boolean;
}

/** Provided by the registry: turns stored bytes into an entry (does not decrypt, keeps no reference to `kv.value`). */
export type EntryDecoder = (kv: StoredKeyValue) => CacheEntry;

export type CacheEvent =
  | {
      readonly type: 'ADDED' | 'MODIFIED';
      readonly entry: CacheEntry;
      readonly previous: CacheEntry | undefined;
      readonly revision: number;
    }
  /** `entry` is the last state with the revision of the deletion in its JSON. */
  | { readonly type: 'DELETED'; readonly entry: CacheEntry; readonly previous: CacheEntry; readonly revision: number };

/** A consistent, ordered view at one revision; later writes do not change it. */
export interface CacheSnapshot {
  readonly revision: number;
  readonly size: number;
  /** The entries whose keys begin with `prefix`, in key order, from `startKey` (inclusive) on. */
  entries(prefix: string, startKey?: string): Iterable<CacheEntry>;
  /** How many keys begin with `prefix` from `startKey` on. */
  count(prefix: string, startKey?: string): number;
}

export interface CacheWatchOptions {
  /**
   * Only keys below this prefix. Ends with `/` (a namespace, or the whole resource); other prefixes work but cost more.
   */
  readonly prefix: string;
  /** Only this key; `prefix` is ignored then. A watch by metadata.name costs nothing for other objects. */
  readonly key?: string;
  /** Events after this revision; 0: from now on. With `initialEvents` the present state is sent first, as ADDED. */
  readonly afterRevision: number;
  readonly initialEvents: boolean;
  /**
   * Selects entries; whether an object matches before and after a change decides between ADDED, MODIFIED and DELETED.
   * Undefined selects all.
   */
  readonly matches?: (entry: CacheEntry) => boolean;
  /**
   * Text of the selection that `matches` implements (canonical label and field selector). A change is matched only once
   * for all watches with the same prefix and selection, and they get the same array of events.
   */
  readonly selection?: string;
  /**
   * Called with events already selected and retyped for this watcher, in order. Must not throw or change the array.
   * Encoded forms of an event may be cached by `entry` and `type`: the watchers of a deletion share one entry, too.
   * `once`: no other watcher gets these events, which are the present state.
   */
  onEvents(events: readonly CacheEvent[], once?: boolean): void;
  /**
   * Everything up to `revision` has been delivered (for bookmarks); `initialDone` right after the initial events.
   * Otherwise called at most once a second; {@link CacheWatch.revision} is always up to date.
   */
  onProgress(revision: number, initialDone: boolean): void;
  /**
   * The watcher was too slow, the version is too old (`Expired`), or the cache was reset: the client must list again.
   */
  onClose(reason: 'Expired' | 'Overflow' | 'Reset' | 'Stopped'): void;
}

export interface CacheWatch {
  /** All selected events up to this revision have been passed to `onEvents`. */
  readonly revision: number;
  /** Holds events back (bounded) while the consumer's transport is full; `resume` continues. */
  pause(): void;
  resume(): void;
  /** Ends the watch; `onClose` is not called. */
  stop(): void;
}

/** The objects of one resource in storage. */
export interface HeldObjects {
  /** Those that cannot be read included. */
  readonly count: number;
  /** The sum over those that can be read; see {@link CacheEntry.storedBytes}. */
  readonly storedBytes: number;
}

/** All objects of one resource, kept current from the process's one watch stream. */
export interface WatchCache {
  /** Starts the cache at the first call; resolves when it has been brought up to the present once. */
  ready(): Promise<void>;
  /** As {@link ready}, in advance: holds back while a request waits for another cache. */
  fill(): Promise<void>;
  isReady(): boolean;
  readonly revision: number;
  /** How many changes its history has room for at present. */
  readonly capacity: number;
  /** Where reads of the cache are counted; undefined for a cache without metrics. */
  readonly reads: CacheReads | undefined;
  /** What storage has; undefined until the cache is ready. */
  readonly held: HeldObjects | undefined;
  get(key: string): CacheEntry | undefined;
  /** Keys of objects that are in storage and cannot be read, so that the cache lacks them. Hardly ever any. */
  readonly unreadable: ReadonlySet<string>;
  /** Reads everything again, where something can be read that could not be; watches end with `Reset`. */
  reload(): Promise<void>;
  /** Waits until the cache has seen `revision`; throws 504 "Too large resource version" after 3 s. */
  waitForRevision(revision: number): Promise<void>;
  /**
   * Waits until the cache is as new as etcd was after the call. Returns that revision; throws 504 when etcd does not
   * answer.
   */
  waitForCurrent(): Promise<number>;
  snapshot(): CacheSnapshot;
  /** The state at exactly this revision; undefined if it is no longer kept, or was compacted. */
  snapshotAt(revision: number): Promise<CacheSnapshot | undefined>;
  watch(options: CacheWatchOptions): CacheWatch;
  /**
   * Offers the entry of a write of this process, already encoded. It is used when the event of its revision arrives, so
   * that the object is not decoded again.
   */
  offer(entry: CacheEntry): void;
  /**
   * Resolves when the watchers have received the event of a write at this revision; undefined if the event has not
   * arrived from storage yet, or if the watchers have already received it. A writer that waits for it sends its
   * response after the event: controllers that check how new their own caches are (client-go's consistency stores) then
   * find their write in them.
   */
  untilHandedOut(revision: number): Promise<void> | undefined;
  close(): void;
}
