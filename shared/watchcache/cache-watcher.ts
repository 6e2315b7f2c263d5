import { nextSlice, sliceMs } from '#shared/apimachinery/slices/slices.ts';
import type { ChangeRing } from './change-ring.ts';
import type { IndexSnapshot } from './entry-index.ts';
import type { CacheReads } from './read-metrics.ts';
import type { CacheEntry, CacheEvent, CacheWatch, CacheWatchOptions } from './watch-cache.ts';
import type { WatchGroup } from './watch-group.ts';

/** The parts of its cache that a watcher uses. */
export interface WatcherHost {
  readonly revision: number;
  readonly ring: ChangeRing;
  /** The changes that are being delivered right now; undefined between batches. */
  readonly batch: Batch | undefined;
  readonly reads: CacheReads | undefined;
  forget(watcher: CacheWatcher): void;
  /** While a watcher is behind, the cache calls its `checkOverflow` whenever the ring drops changes. */
  setBehind(watcher: CacheWatcher, behind: boolean): void;
}

export interface Batch {
  /** The ring position of the first change. */
  readonly start: number;
  /** The cache's revision before this batch. */
  readonly revisionBefore: number;
}

/** Most events delivered in one turn of the event loop; other work runs between turns. */
const turnItems = 500;
/** The initial state is sent in batches of this many entries, as many batches per turn as fit in `sliceMs`. */
const initialItems = 32;
const initialBytes = 32 * 1024;
/** A turn of catching up also ends at this many bytes, since unread bytes stay in memory for each client. */
const turnBytes = 64 * 1024;

type State = 'initial' | 'behind' | 'live' | 'closed';

/**
 * One watch. It keeps no queue: while it is paused or catching up, it stores its position in the ring. If the ring
 * drops changes that the watch has not read, the watch is closed. `initial` (present state) → `behind` (reads the ring)
 * → `live` (gets each batch).
 */
export class CacheWatcher implements CacheWatch {
  readonly group: WatchGroup;
  readonly #host: WatcherHost;
  readonly #options: CacheWatchOptions;
  #state: State = 'behind';
  #paused = false;
  #scheduled = false;
  /** Whether it has been live, so that what it reads from the ring is not older than itself. */
  #hasBegun = false;
  /** The ring position of the next change to read; unused while live. */
  #position: number;
  #revision: number;
  /** A watch may begin at a future revision: changes up to this one are not sent. 0 for other watches. */
  #silentUntil: number;
  /** The last batch that this watcher received. */
  #delivered: Batch | undefined;
  #initial: Iterator<CacheEntry> | undefined;

  /** @param initial the state to send first; `position` belongs to its revision. */
  constructor(
    host: WatcherHost,
    group: WatchGroup,
    options: CacheWatchOptions,
    position: number,
    initial: IndexSnapshot | undefined,
  ) {
    this.#host = host;
    this.group = group;
    this.#options = options;
    this.#position = position;
    this.#revision = initial?.revision ?? (options.afterRevision === 0 ? host.revision : options.afterRevision);
    this.#silentUntil = options.afterRevision > host.revision ? options.afterRevision : 0;
    if (initial !== undefined) {
      this.#state = 'initial';
      this.#initial = initialEntries(initial, options)[Symbol.iterator]();
    }
  }

  get revision(): number {
    return this.#state === 'live' ? this.#host.revision : this.#revision;
  }

  /**
   * No events are delivered within the call that creates the watch, so that the caller has the watch before its first
   * event.
   */
  start(): void {
    this.#host.setBehind(this, true);
    this.#schedule();
  }

  pause(): void {
    if (this.#paused || this.#state === 'closed') return;
    this.#paused = true;
    if (this.#state !== 'live') return;
    const { batch, revision, ring } = this.#host;
    // A handler of another watch on the same connection may have paused this watch before it received the present
    // batch.
    const missed = batch !== undefined && batch !== this.#delivered;
    this.#revision = missed ? batch.revisionBefore : revision;
    this.#position = missed ? batch.start : ring.end;
    this.#state = 'behind';
    this.#host.setBehind(this, true);
  }

  resume(): void {
    if (!this.#paused || this.#state === 'closed') return;
    this.#paused = false;
    this.#schedule();
  }

  stop(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#initial = undefined;
    this.#host.forget(this);
  }

  close(reason: 'Expired' | 'Overflow' | 'Reset' | 'Stopped'): void {
    if (this.#state === 'closed') return;
    this.stop();
    this.#options.onClose(reason);
  }

  deliverLive(events: readonly CacheEvent[]): void {
    if (this.#state !== 'live') return;
    this.#delivered = this.#host.batch;
    this.#send(events);
  }

  progress(revision: number): void {
    if (this.#state === 'live' && revision >= this.#silentUntil) this.#options.onProgress(revision, false);
  }

  /** Called when the ring has dropped changes: closes the watch if it had not read them. */
  checkOverflow(): void {
    if (this.#position >= this.#host.ring.start) return;
    this.#host.reads?.terminated();
    this.close('Overflow');
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // The present state can be long, and many watchers may read it at once: they take turns.
    if (this.#state === 'initial') void nextSlice().then(() => this.turn());
    else setImmediate(runTurn, this);
  }

  /** One turn of catching up. Public for {@link runTurn} only. */
  turn(): void {
    this.#scheduled = false;
    if (this.#paused) return;
    if (this.#state === 'initial') this.#sendInitial();
    else if (this.#state === 'behind') this.#readRing();
  }

  /**
   * Sends batches for a slice of time, not a fixed number, since the cost of printing an object depends on the
   * consumer.
   */
  #sendInitial(): void {
    const end = performance.now() + sliceMs;
    do this.#sendInitialBatch();
    while (this.#isInitial() && !this.#paused && performance.now() < end);
    if (!this.#isClosed()) this.#schedule();
  }

  #sendInitialBatch(): void {
    const events: CacheEvent[] = [];
    let bytes = 0;
    let entry = this.#initial?.next();
    while (entry?.done === false) {
      events.push({ type: 'ADDED', entry: entry.value, previous: undefined, revision: entry.value.revision });
      bytes += entry.value.json.length;
      if (events.length >= initialItems || bytes >= initialBytes) break;
      entry = this.#initial?.next();
    }
    const done = entry?.done !== false;
    if (done) {
      this.#initial = undefined;
      this.#state = 'behind';
    }
    if (events.length > 0) this.#host.reads?.initialEvents(events.length);
    if (events.length > 0) this.#options.onEvents(events, true);
    if (done && !this.#isClosed()) this.#options.onProgress(this.#revision, true);
  }

  #readRing(): void {
    const { ring } = this.#host;
    if (this.#position < ring.start) return this.close('Overflow');
    const end = Math.min(ring.end, this.#position + turnItems);
    const events: CacheEvent[] = [];
    let bytes = 0;
    for (; this.#position < end && bytes < turnBytes; this.#position++) {
      const change = ring.at(this.#position);
      if (change === undefined || !this.group.covers(change.key)) continue;
      const event = this.group.select(change);
      if (event === undefined) continue;
      events.push(event);
      bytes += event.entry.json.length;
    }
    const caughtUp = this.#position === ring.end;
    if (!this.#hasBegun && events.length > 0) this.#host.reads?.initialEvents(events.length);
    this.#revision = caughtUp ? this.#host.revision : (ring.at(this.#position - 1)?.revision ?? this.#revision);
    if (caughtUp) {
      this.#state = 'live';
      this.#hasBegun = true;
      this.#host.setBehind(this, false);
    }
    if (events.length > 0) this.#send(events);
    if (!caughtUp) this.#schedule();
  }

  #send(events: readonly CacheEvent[]): void {
    if (this.#silentUntil === 0) return this.#options.onEvents(events);
    const heard = events.filter((event) => event.revision > this.#silentUntil);
    if (this.#host.revision >= this.#silentUntil) this.#silentUntil = 0;
    if (heard.length > 0) this.#options.onEvents(heard);
  }

  #isInitial(): boolean {
    return this.#state === 'initial';
  }

  #isClosed(): boolean {
    return this.#state === 'closed';
  }
}

function runTurn(watcher: CacheWatcher): void {
  watcher.turn();
}

function* initialEntries(snapshot: IndexSnapshot, options: CacheWatchOptions): Generator<CacheEntry, void, undefined> {
  const { key, matches } = options;
  if (key !== undefined) {
    const entry = snapshot.get(key);
    if (entry !== undefined && (matches === undefined || matches(entry))) yield entry;
    return;
  }
  for (const entry of snapshot.entries(options.prefix)) if (matches === undefined || matches(entry)) yield entry;
}
