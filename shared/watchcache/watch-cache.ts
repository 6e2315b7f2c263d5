import type { Buffer } from 'node:buffer';
import type { StoredKeyValue } from '../storage/storage.ts';

/** One object version as the cache holds it. Immutable; the same instance serves GET, LIST and every watcher. */
export interface CacheEntry {
  /** Storage key without the prefix of the cluster, `/configmaps/default/a`. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** Served JSON in the storage version, resourceVersion in place, without a trailing newline. */
  readonly json: Buffer;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** Values of the selectable fields beyond metadata.name and metadata.namespace; undefined if the kind has none. */
  readonly fields: Readonly<Record<string, string>> | undefined;
  /** The stored bytes, only of the few objects whose JSON lacks something that is stored. */
  readonly unprinted?: Buffer;
}

/** Given by the registry: turns stored bytes into an entry (decrypts nothing, keeps no reference to `kv.value`). */
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
  /** In key order, keys that begin with `prefix`, from `startKey` (inclusive) on. */
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
  /** Events after this revision; 0: from now, with the present state first as ADDED if `initialEvents`. */
  readonly afterRevision: number;
  readonly initialEvents: boolean;
  /** Selection before and after decides between ADDED, MODIFIED, DELETED; undefined selects all. */
  readonly matches?: (entry: CacheEntry) => boolean;
  /**
   * Text of the selection that `matches` carries out (canonical label and field selector). Watches of the same prefix
   * and selection are judged once, and get the same array of the same events.
   */
  readonly selection?: string;
  /**
   * Called with events already selected and retyped for this watcher, in order. Must not throw or change the array.
   * What is encoded from an event may be kept by `entry` and `type`: deletions of one event share one entry, too.
   * `once`: nobody else gets these events, which tell the present state.
   */
  onEvents(events: readonly CacheEvent[], once?: boolean): void;
  /**
   * Everything up to `revision` has been delivered (for bookmarks); `initialDone` right after the initial events.
   * Otherwise at most once a second: for the newest word read {@link CacheWatch.revision}.
   */
  onProgress(revision: number, initialDone: boolean): void;
  /**
   * The watcher was too slow, the version is too old (`Expired`), or the cache was reset: the client must list again.
   */
  onClose(reason: 'Expired' | 'Overflow' | 'Reset' | 'Stopped'): void;
}

export interface CacheWatch {
  /** Everything of the selection up to this revision has been given to `onEvents`. */
  readonly revision: number;
  /** The consumer's transport is full: hold events back (bounded), or go on. */
  pause(): void;
  resume(): void;
  /** Ends the watch; `onClose` is not called. */
  stop(): void;
}

/** All objects of one resource, kept current from the process's one watch stream. */
export interface WatchCache {
  /** Starts at first use; resolves when the first list is in. */
  ready(): Promise<void>;
  isReady(): boolean;
  readonly revision: number;
  get(key: string): CacheEntry | undefined;
  /** Waits until the cache has seen `revision`; throws 504 "Too large resource version" after 3 s. */
  waitForRevision(revision: number): Promise<void>;
  /**
   * Waits until the cache is as new as etcd was after the call. Returns that revision; throws 504 when etcd does not
   * answer.
   */
  waitForCurrent(): Promise<number>;
  snapshot(): CacheSnapshot;
  /** The state at exactly this revision, if it is still held, and was not compacted. */
  snapshotAt(revision: number): Promise<CacheSnapshot | undefined>;
  watch(options: CacheWatchOptions): CacheWatch;
  /** Own write, already encoded: taken in by revision when its event is due, so that it is not decoded again. */
  offer(entry: CacheEntry): void;
  /**
   * Resolves when the watchers have received the event of a write at this revision; undefined if the event has not
   * arrived from storage yet, or they have received it. A writer that waits for it sends its response after the event:
   * controllers that check how new their own caches are (client-go's consistency stores) then find their write in them.
   */
  untilHandedOut(revision: number): Promise<void> | undefined;
  close(): void;
}
