import type { StorageError, StorageEvent, StorageWatch } from '#shared/storage/storage.ts';
import { revisionOf, applyEvents, type StoragePut } from './apply-events.ts';
import { notReady } from './cache-failures.ts';
import { CacheLoad } from './cache-load.ts';
import { CacheWatcher, type Batch, type WatcherHost } from './cache-watcher.ts';
import { ChangeRing } from './change-ring.ts';
import { EntryIndex, type IndexSnapshot } from './entry-index.ts';
import { withExactBytes } from './exact-bytes.ts';
import { FreshReads } from './fresh-reads.ts';
import { LargeValues } from './large-values.ts';
import { LocalWrites } from './local-writes.ts';
import type { CacheReads } from './read-metrics.ts';
import { RevisionWaiters } from './revision-waiters.ts';
import { SnapshotHistory } from './snapshot-history.ts';
import type { StorageWatchCacheOptions } from './storage-watch-cache-options.ts';
import { UnreadableObjects } from './unreadable-objects.ts';
import type { CacheEntry, CacheSnapshot, CacheWatch, CacheWatchOptions, WatchCache } from './watch-cache.ts';
import { WatcherSet } from './watcher-set.ts';
import { WriteWaiters } from './write-waiters.ts';

/**
 * The cache of one resource. Events from storage are collected and applied together in the next turn of the event loop.
 * By then the entries of own writes have been offered, and watchers get the events of one turn in one call.
 */
export class StorageWatchCache implements WatchCache, WatcherHost {
  readonly reads: CacheReads | undefined;
  ring: ChangeRing;
  batch: Batch | undefined;
  readonly #options: StorageWatchCacheOptions;
  readonly #waiters: RevisionWaiters;
  readonly #fresh: FreshReads;
  readonly #watchers = new WatcherSet();
  readonly #ownWrites = new LocalWrites();
  readonly #largeValues: LargeValues;
  readonly #writers = new WriteWaiters();
  readonly #history = new SnapshotHistory();
  readonly #unreadable: UnreadableObjects;
  #index = new EntryIndex();
  #revision = 0;
  #snapshot: IndexSnapshot | undefined;
  #incoming: StorageEvent[] = [];
  #progressRevision = 0;
  #flushScheduled = false;
  #loading: Promise<void> | undefined;
  #reloading: Promise<void> | undefined;
  #loaded = false;
  #isCurrent = false;
  readonly #loader: CacheLoad;
  #storageWatch: StorageWatch | undefined;
  #closed = false;
  /** Undefined for an object that cannot be decoded, which then leaves the cache. */
  readonly #entryOf = (event: StoragePut): CacheEntry | undefined => {
    const { kv } = event;
    const entry = this.#ownWrites.take(kv.key, kv.modRevision) ?? this.#largeValues.entryOf(event);
    this.#unreadable.written(kv.key, entry !== undefined);
    return entry === undefined ? undefined : withExactBytes(entry);
  };

  constructor(options: StorageWatchCacheOptions) {
    this.#options = options;
    this.reads = options.reads;
    this.#largeValues = new LargeValues(options, this.#ownWrites);
    this.#loader = new CacheLoad(options);
    this.#unreadable = new UnreadableObjects(options, () => void this.reload());
    this.ring = new ChangeRing(0, options.history, options.forget);
    this.#waiters = new RevisionWaiters(
      () => this.#revision,
      () => options.storage.requestProgress(),
    );
    this.#fresh = new FreshReads(options, this.#waiters, () => this.#revision);
  }

  get revision(): number {
    return this.#revision;
  }

  get held(): WatchCache['held'] {
    return this.#isCurrent ? this.#index.held(this.#unreadable.keys.size) : undefined;
  }

  get capacity(): number {
    return this.ring.capacity;
  }

  ready(): Promise<void> {
    if (!this.#loaded) this.#loader.hurry();
    return this.fill();
  }

  fill(): Promise<void> {
    return (this.#loading ??= this.#load(this.#options.firstRevision));
  }

  isReady(): boolean {
    return this.#isCurrent;
  }

  get(key: string): CacheEntry | undefined {
    this.#assertReady();
    return this.#index.get(key);
  }

  get unreadable(): ReadonlySet<string> {
    return this.#unreadable.keys;
  }

  reload(): Promise<void> {
    return this.#closed || !this.#isCurrent ? this.fill() : this.#loadAgain();
  }

  async waitForRevision(revision: number): Promise<void> {
    if (!this.#loaded) await this.ready();
    await this.#fresh.atLeast(revision);
  }

  async waitForCurrent(): Promise<number> {
    if (!this.#loaded) await this.ready();
    return this.#fresh.current();
  }

  snapshot(): CacheSnapshot {
    this.#assertReady();
    const snapshot = this.#currentSnapshot();
    this.#history.keep(snapshot);
    return snapshot;
  }

  async snapshotAt(revision: number): Promise<CacheSnapshot | undefined> {
    const compacted = await this.#options.storage.compactedRevision();
    this.#history.dropBefore(compacted);
    if (!this.#loaded || revision < compacted || revision > this.#revision) return undefined;
    if (revision === this.#revision) return this.snapshot();
    return this.#history.at(revision, this.#currentSnapshot(), this.ring);
  }

  watch(options: CacheWatchOptions): CacheWatch {
    this.#assertReady();
    const fromNow = options.initialEvents || options.afterRevision === 0;
    const position = fromNow ? this.ring.end : this.ring.positionAfter(options.afterRevision);
    const group = this.#watchers.groups.join(options);
    const watcher = new CacheWatcher(
      this,
      group,
      options,
      position ?? 0,
      options.initialEvents ? this.#currentSnapshot() : undefined,
    );
    this.#watchers.add(watcher);
    if (position === undefined) setImmediate(() => watcher.close('Expired'));
    else watcher.start();
    return watcher;
  }

  offer(entry: CacheEntry): void {
    if (this.#loaded && entry.revision > this.#revision) this.#ownWrites.offer(entry);
  }

  untilHandedOut(revision: number): Promise<void> | undefined {
    const newest = this.#incoming.at(-1);
    const waits = !this.#closed && newest !== undefined && revisionOf(newest) >= revision && revision > this.#revision;
    return waits ? this.#writers.wait(revision) : undefined;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#writers.advance(Infinity);
    this.#storageWatch?.close();
    this.#loader.close();
    this.#unreadable.close();
    this.#watchers.close('Stopped');
    this.#waiters.fail(notReady());
  }

  forget(watcher: CacheWatcher): void {
    this.#watchers.remove(watcher);
  }

  setBehind(watcher: CacheWatcher, behind: boolean): void {
    this.#watchers.setBehind(watcher, behind);
  }

  #assertReady(): void {
    if (!this.#loaded) throw notReady();
  }

  #currentSnapshot(): IndexSnapshot {
    if (this.#snapshot?.revision !== this.#revision) this.#snapshot = this.#index.snapshot(this.#revision);
    return this.#snapshot;
  }

  async #load(firstRevision?: () => Promise<number>): Promise<void> {
    const isPast = await this.#loader.run(firstRevision, (...state) => this.#adopt(...state));
    // A ready cache includes the writes since that revision: admission must not miss the rules among them.
    if (isPast) await this.#loader.insist(() => this.waitForCurrent());
    this.#isCurrent = !this.#closed;
  }

  #adopt(index: EntryIndex, revision: number, unreadable: Set<string>): void {
    this.#watchers.close('Reset');
    this.#history.clear();
    this.#ownWrites.clear();
    this.#incoming = [];
    this.#largeValues.clear();
    this.#writers.advance(Infinity);
    this.#progressRevision = 0;
    this.#index = index;
    this.#unreadable.replace(unreadable);
    this.#snapshot = undefined;
    this.ring = new ChangeRing(revision, this.#options.history, this.#options.forget);
    this.#revision = revision;
    this.#loaded = true;
    this.#storageWatch = this.#loader.watch(revision + 1, {
      onEvents: (events) => this.#receive(events),
      onProgress: (progress) => this.#receiveProgress(progress),
      onError: (error) => this.#restart(error),
    });
    this.#waiters.advance(revision);
  }

  /** Storage has lost history. Until the new list is loaded, reads get the old state, and watchers get no events. */
  #restart(error: StorageError): void {
    if (this.#closed) return;
    this.#options.reportError(error);
    void this.#loadAgain();
  }

  #loadAgain(): Promise<void> {
    if (this.#reloading !== undefined) return this.#reloading;
    this.#storageWatch?.close();
    this.#loader.hurry();
    return (this.#reloading = this.#load().finally(() => (this.#reloading = undefined)));
  }

  #receive(events: readonly StorageEvent[]): void {
    for (const event of events) {
      this.#incoming.push(event);
      this.#largeValues.add(event);
    }
    this.#scheduleFlush();
  }

  #receiveProgress(revision: number): void {
    if (this.#incoming.length === 0) this.#advance(revision);
    else this.#progressRevision = revision;
  }

  #scheduleFlush(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    const decoding = this.#closed ? undefined : this.#largeValues.decodeNext();
    if (decoding !== undefined) return void decoding.then(() => this.#flush());
    this.#flushScheduled = false;
    if (this.#closed || this.#incoming.length === 0) return;
    const nowMs = performance.now();
    const batch = { start: this.ring.end, revisionBefore: this.#revision };
    const { changes, count, lost } = applyEvents(this.#incoming, this.#index, this.ring, this.#entryOf, nowMs);
    const rest = this.#incoming.length - count;
    const last = this.#incoming[count - 1] as StorageEvent;
    this.#unreadable.applied(this.#incoming, count);
    this.#incoming = rest === 0 ? [] : this.#incoming.slice(count);
    this.#snapshot = undefined;
    this.#revision = Math.max(this.#revision, revisionOf(last));
    this.batch = batch;
    this.#watchers.groups.dispatch(changes);
    this.batch = undefined;
    if (lost) this.#endHistory();
    this.#writers.advance(this.#revision);
    if (this.ring.trim(nowMs)) this.#forgotten();
    this.#waiters.advance(this.#revision);
    if (rest > 0) this.#scheduleFlush();
    else if (this.#progressRevision > this.#revision) this.#advance(this.#progressRevision);
  }

  /** An object cannot be read any more. Watchers list again, so that they learn of it, and do not miss its deletion. */
  #endHistory(): void {
    this.#watchers.close('Reset');
    this.#history.clear();
    this.ring = new ChangeRing(this.#revision, this.#options.history, this.#options.forget);
  }

  #advance(revision: number): void {
    if (revision > this.#revision) this.#revision = revision;
    this.#waiters.advance(this.#revision);
    const now = performance.now();
    if (!this.#watchers.takeProgressTurn(now)) return;
    if (this.ring.trim(now)) this.#forgotten();
    this.#watchers.progress(this.#revision);
  }

  #forgotten(): void {
    this.#history.dropBefore(this.ring.baseRevision);
    this.#watchers.checkOverflow();
  }
}
