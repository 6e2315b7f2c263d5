import { setTimeout as sleep } from 'node:timers/promises';
import type { ConvertEntries } from '#shared/registry/stored-form.ts';
import { restamp } from '#shared/watchcache/restamp.ts';
import type {
  CacheEntry,
  CacheEvent,
  CacheWatch,
  CacheWatchOptions,
  WatchCache,
} from '#shared/watchcache/watch-cache.ts';

export interface ConvertedWatchOptions {
  readonly convert: ConvertEntries;
  /** The version into which entries are converted, for events that several watches share. */
  readonly apiVersion: string;
  /** Called once where an initial event cannot be converted; the watch has ended then. */
  readonly onFailure: (error: unknown) => void;
  /** Default: as the reference's reflectors. */
  readonly patience?: Patience;
}

/** How long the conversion of one event is tried again. */
interface Patience {
  /** The pause after the first failure; each of the next ones is twice as long. */
  readonly firstPauseMs: number;
  readonly totalMs: number;
}

/** MaxInternalErrorRetryDuration of apiserver/pkg/storage/cacher, and the backoff of client-go's reflectors. */
const usualPatience: Patience = { firstPauseMs: 800, totalMs: 30_000 };

/** Something that the cache delivered and the watcher has not received: events, or how far they reach. */
type Item =
  | { readonly kind: 'events'; readonly events: readonly CacheEvent[]; readonly once: boolean; readonly bytes: number }
  | { readonly kind: 'progress'; readonly revision: number; readonly initialDone: boolean };

/** Converted entries, by those of the cache. */
type Converted = ReadonlyMap<CacheEntry, CacheEntry>;

/** The cache is paused while so many bytes of objects wait for their conversion. */
const maxWaitingBytes = 1024 * 1024;

/** Events as watches of one version and selection send them, by the events that the cache delivered. */
const shared = new WeakMap<readonly CacheEvent[], Map<string, readonly CacheEvent[]>>();

/**
 * A watch whose entries a webhook converts. Events keep their order: what arrives while a conversion runs waits, and is
 * converted by the next one. While a webhook fails, the watch is silent; after a while it ends without an error, as the
 * reference's do. A watcher that waits for its webhook holds back nobody else: the cache closes it, like any
 * slow watcher, when its history no longer reaches back to it.
 */
export class ConvertedWatch implements CacheWatch {
  readonly #options: CacheWatchOptions;
  readonly #conversion: ConvertedWatchOptions;
  readonly #source: CacheWatch;
  #waiting: Item[] = [];
  #waitingBytes = 0;
  #isConverting = false;
  #isPaused = false;
  #isEnded = false;
  #hasInitialEvents: boolean;
  readonly #ended = new AbortController();
  /** The revision up to which the watcher has received everything while items wait. */
  #delivered: number;

  constructor(cache: WatchCache, options: CacheWatchOptions, conversion: ConvertedWatchOptions) {
    const { matches: _matches, selection: _selection, ...keys } = options;
    this.#options = options;
    this.#conversion = conversion;
    this.#delivered = options.afterRevision;
    this.#hasInitialEvents = !options.initialEvents;
    this.#source = cache.watch({
      ...keys,
      selection: '',
      onEvents: (events, once) => this.#take(itemOf(events, once === true)),
      onProgress: (revision, initialDone) => this.#take({ kind: 'progress', revision, initialDone }),
      onClose: (reason) => this.#close(reason),
    });
  }

  get revision(): number {
    return this.#waiting.length === 0 && !this.#isConverting ? this.#source.revision : this.#delivered;
  }

  pause(): void {
    this.#isPaused = true;
    this.#source.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (this.#waiting.length > 0) void this.#work();
    else this.#source.resume();
  }

  stop(): void {
    this.#isEnded = true;
    this.#ended.abort();
    this.#waiting = [];
    this.#source.stop();
  }

  #take(item: Item): void {
    if (this.#isEnded) return;
    this.#waiting.push(item);
    if (item.kind === 'events') this.#waitingBytes += item.bytes;
    if (this.#waitingBytes > maxWaitingBytes) this.#source.pause();
    void this.#work();
  }

  /** Converts and delivers what waits, until nothing does or the watcher is paused. */
  async #work(): Promise<void> {
    if (this.#isConverting) return;
    this.#isConverting = true;
    try {
      while (this.#waiting.length > 0 && !this.#isPaused && !this.#isEnded) await this.#convertWaiting();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isConverting = false;
    }
    if (!this.#isPaused && !this.#isEnded) this.#source.resume();
  }

  async #convertWaiting(): Promise<void> {
    const items = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    const answer = this.#convert(items);
    const byEntry = answer instanceof Promise ? await answer.catch(() => undefined) : answer;
    if (byEntry !== undefined) for (const item of items) this.#deliver(item, byEntry);
    else await this.#deliverInTurn(items);
  }

  #convert(items: readonly Item[]): Converted | Promise<Converted> {
    const entries = items.flatMap((item) => (item.kind === 'events' ? item.events.flatMap(this.#needed) : []));
    const inOrder = (converted: readonly CacheEntry[]): Converted =>
      new Map(entries.map((entry, index) => [entry, converted[index] as CacheEntry]));
    const answer = this.#conversion.convert(entries);
    return answer instanceof Promise ? answer.then(inOrder) : inOrder(answer);
  }

  /** Delivers what comes before the first event that cannot be converted. @throws the error of an initial event */
  async #deliverInTurn(items: readonly Item[]): Promise<void> {
    for (const item of items) {
      const single = item.kind === 'events' ? item.events.map((event) => itemOf([event], item.once)) : [item];
      for (const part of single) {
        const converted = this.#hasInitialEvents ? await this.#convertPatiently(part) : await this.#convert([part]);
        if (converted === undefined) return this.#giveUp();
        this.#deliver(part, converted);
      }
    }
  }

  /** Tries again while the webhook fails; undefined if it has failed for too long, or the watch has ended. */
  async #convertPatiently(item: Item): Promise<Converted | undefined> {
    const { firstPauseMs, totalMs } = this.#conversion.patience ?? usualPatience;
    const endsAtMs = performance.now() + totalMs;
    for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
      try {
        return await this.#convert([item]);
      } catch {
        if (performance.now() >= endsAtMs) return undefined;
        const isOver = await sleep(pauseMs, false, { ref: false, signal: this.#ended.signal }).catch(() => true);
        if (isOver) return undefined;
      }
    }
  }

  /** The entries that are converted for an event: the state before a change only where conditions look at it. */
  readonly #needed = ({ type, entry, previous }: CacheEvent): CacheEntry[] => {
    if (type === 'DELETED') return [previous];
    return previous === undefined || this.#options.matches === undefined ? [entry] : [previous, entry];
  };

  #deliver(item: Item, byEntry: Converted): void {
    if (this.#isEnded) return;
    if (item.kind === 'progress') {
      this.#delivered = item.revision;
      if (item.initialDone) this.#hasInitialEvents = true;
      this.#options.onProgress(item.revision, item.initialDone);
      return;
    }
    const events = item.once ? this.#select(item.events, byEntry) : this.#shared(item.events, byEntry);
    this.#delivered = item.events.at(-1)?.revision ?? this.#delivered;
    if (events.length > 0) this.#options.onEvents(events, item.once);
  }

  /** Watches of one version and selection get the same array, so that its frames are made once. */
  #shared(events: readonly CacheEvent[], byEntry: Converted): readonly CacheEvent[] {
    const { matches, selection } = this.#options;
    if (matches !== undefined && selection === undefined) return this.#select(events, byEntry);
    const byForm = shared.get(events) ?? new Map<string, readonly CacheEvent[]>();
    shared.set(events, byForm);
    const form = `${this.#conversion.apiVersion}\n${matches === undefined ? '' : selection}`;
    let made = byForm.get(form);
    if (made === undefined) byForm.set(form, (made = this.#select(events, byEntry)));
    return made;
  }

  #select(events: readonly CacheEvent[], byEntry: Converted): CacheEvent[] {
    return events.flatMap((event) => this.#selected(event, byEntry) ?? []);
  }

  /** The event of the converted states, by whether these match before and after the change. */
  #selected(event: CacheEvent, byEntry: Converted): CacheEvent | undefined {
    const { matches = () => true } = this.#options;
    const { revision } = event;
    const entry = event.type === 'DELETED' ? undefined : byEntry.get(event.entry);
    const previous = event.previous === undefined ? undefined : byEntry.get(event.previous);
    const after = entry !== undefined && matches(entry);
    if (after) {
      const before = previous === undefined ? event.type === 'MODIFIED' : matches(previous);
      return { type: before ? 'MODIFIED' : 'ADDED', entry, previous, revision };
    }
    if (previous === undefined || !matches(previous)) return undefined;
    return { type: 'DELETED', entry: restamp(previous, revision), previous, revision };
  }

  #fail(error: unknown): void {
    if (this.#isEnded) return;
    this.stop();
    this.#conversion.onFailure(error);
  }

  #giveUp(): void {
    if (this.#isEnded) return;
    this.stop();
    this.#options.onClose('Stopped');
  }

  #close(reason: 'Expired' | 'Overflow' | 'Reset' | 'Stopped'): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#ended.abort();
    this.#waiting = [];
    this.#options.onClose(reason);
  }
}

function itemOf(events: readonly CacheEvent[], once: boolean): Item {
  return { kind: 'events', events, once, bytes: events.reduce((total, { entry }) => total + entry.json.length, 0) };
}
