import { restamp } from './restamp.ts';
import type { CacheEntry, CacheEvent } from './watch-cache.ts';

/**
 * One change of one key, and the events that watchers get for it. A watcher gets ADDED if the object enters its
 * selection, DELETED if the object leaves it. Each event is made at its first use and then shared.
 */
export class CacheChange {
  readonly revision: number;
  readonly atMs: number;
  /** State after the change; undefined for a deletion. */
  readonly entry: CacheEntry | undefined;
  readonly previous: CacheEntry | undefined;
  #added: CacheEvent | undefined;
  #modified: CacheEvent | undefined;
  #deleted: CacheEvent | undefined;

  constructor(revision: number, atMs: number, entry: CacheEntry | undefined, previous: CacheEntry | undefined) {
    this.revision = revision;
    this.atMs = atMs;
    this.entry = entry;
    this.previous = previous;
  }

  get key(): string {
    return (this.entry ?? this.previous)?.key ?? '';
  }

  /** Memory that only history keeps in use: the state that the change replaced. */
  get historyBytes(): number {
    return this.previous?.json.length ?? 0;
  }

  /** The event that a watcher with this selection gets for the change; undefined if it gets none. */
  select(matches: ((entry: CacheEntry) => boolean) | undefined): CacheEvent | undefined {
    const { entry, previous } = this;
    const after = entry !== undefined && (matches === undefined || matches(entry));
    const before = previous !== undefined && (matches === undefined || matches(previous));
    if (after) return before ? this.#asModified(entry, previous) : this.#asAdded(entry, previous);
    return before ? this.#asDeleted(previous) : undefined;
  }

  #asAdded(entry: CacheEntry, previous: CacheEntry | undefined): CacheEvent {
    return (this.#added ??= { type: 'ADDED', entry, previous, revision: this.revision });
  }

  #asModified(entry: CacheEntry, previous: CacheEntry): CacheEvent {
    return (this.#modified ??= { type: 'MODIFIED', entry, previous, revision: this.revision });
  }

  #asDeleted(previous: CacheEntry): CacheEvent {
    return (this.#deleted ??= {
      type: 'DELETED',
      entry: restamp(previous, this.revision),
      previous,
      revision: this.revision,
    });
  }
}
