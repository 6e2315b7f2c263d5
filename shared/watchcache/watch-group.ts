import type { CacheChange } from './cache-change.ts';
import type { CacheEntry, CacheEvent, CacheWatchOptions } from './watch-cache.ts';

/** A watcher, as its group sees it. */
interface GroupMember {
  deliverLive(events: readonly CacheEvent[]): void;
}

/** Watchers with the same selection: each change is matched once for all of them. */
export class WatchGroup {
  /** Name under which further watchers find the group; undefined if it cannot be shared. */
  readonly shareName: string | undefined;
  readonly prefix: string;
  readonly key: string | undefined;
  readonly #matches: ((entry: CacheEntry) => boolean) | undefined;
  readonly watchers = new Set<GroupMember>();
  #pending: CacheEvent[] = [];

  constructor(options: CacheWatchOptions) {
    this.shareName = shareName(options);
    this.prefix = options.prefix;
    this.key = options.key;
    this.#matches = options.matches;
  }

  covers(key: string): boolean {
    return this.key === undefined ? key.startsWith(this.prefix) : key === this.key;
  }

  matches(entry: CacheEntry): boolean {
    return this.#matches === undefined || this.#matches(entry);
  }

  /** The event that this group's watchers get for the change, if any. The group must cover the key. */
  select(change: CacheChange): CacheEvent | undefined {
    return change.select(this.#matches);
  }

  /** Adds the event of the change to those for {@link deliver}. Returns whether it is the first one. */
  collect(change: CacheChange): boolean {
    const event = this.select(change);
    return event !== undefined && this.#pending.push(event) === 1;
  }

  /** Delivers the collected events to the watchers that are up to date; the others read them from the ring. */
  deliver(): void {
    const events = this.#pending;
    this.#pending = [];
    for (const watcher of this.watchers) watcher.deliverLive(events);
  }
}

export function shareName(options: CacheWatchOptions): string | undefined {
  const selection = options.matches === undefined ? '' : options.selection;
  if (selection === undefined) return undefined;
  return `${options.key === undefined ? options.prefix : `=${options.key}`}\n${selection}`;
}
