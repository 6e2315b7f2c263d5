import { restamp } from './restamp.ts';
import type { CacheEntry, CacheEvent } from './watch-cache.ts';

/** An event that was made; of a settled change it is known for as long as somebody uses it. */
type MadeEvent = CacheEvent | WeakRef<CacheEvent> | undefined;

/**
 * One change of one key, and the events that watchers get for it. A watcher gets ADDED if the object enters its
 * selection, DELETED if the object leaves it. Each event is made at its first use and then shared.
 */
export class CacheChange {
  readonly revision: number;
  readonly atMs: number;
  readonly key: string;
  /** Memory that only history keeps in use, before it is packed: the state that the change replaced. */
  readonly historyBytes: number;
  #entry: CacheEntry | undefined;
  #previous: CacheEntry | undefined;
  #isSettled = false;
  #added: MadeEvent;
  #modified: MadeEvent;
  #deleted: MadeEvent;

  constructor(revision: number, atMs: number, entry: CacheEntry | undefined, previous: CacheEntry | undefined) {
    this.revision = revision;
    this.atMs = atMs;
    this.key = (entry ?? previous)?.key ?? '';
    this.historyBytes = previous?.json.length ?? 0;
    this.#entry = entry;
    this.#previous = previous;
  }

  /** State after the change; undefined for a deletion. */
  get entry(): CacheEntry | undefined {
    return this.#entry;
  }

  get previous(): CacheEntry | undefined {
    return this.#previous;
  }

  /** The event that a watcher with this selection gets for the change; undefined if it gets none. */
  select(matches: ((entry: CacheEntry) => boolean) | undefined): CacheEvent | undefined {
    const entry = this.#entry;
    const previous = this.#previous;
    const after = entry !== undefined && (matches === undefined || matches(entry));
    const before = previous !== undefined && (matches === undefined || matches(previous));
    if (after) return before ? this.#asModified(entry, previous) : this.#asAdded(entry, previous);
    return before ? this.#asDeleted(previous) : undefined;
  }

  /** The watchers of the present have been told: the events that were made are not kept. `forget` gets their states. */
  settle(forget: (entry: CacheEntry) => void): void {
    if (this.#previous !== undefined) forget(this.#previous);
    const deleted = known(this.#deleted);
    if (deleted !== undefined) forget(deleted.entry);
    this.#isSettled = true;
    this.#added = undefined;
    this.#modified = undefined;
    this.#deleted = undefined;
  }

  /** Takes an equal entry in place of the state before the change. */
  replacePrevious(equal: CacheEntry): void {
    this.#previous = equal;
  }

  /** Takes an equal entry in place of the state after the change. */
  replaceEntry(equal: CacheEntry): void {
    this.#entry = equal;
  }

  #asAdded(entry: CacheEntry, previous: CacheEntry | undefined): CacheEvent {
    const made = known(this.#added);
    if (made !== undefined) return made;
    const event: CacheEvent = { type: 'ADDED', entry, previous, revision: this.revision };
    this.#added = this.#kept(event);
    return event;
  }

  #asModified(entry: CacheEntry, previous: CacheEntry): CacheEvent {
    const made = known(this.#modified);
    if (made !== undefined) return made;
    const event: CacheEvent = { type: 'MODIFIED', entry, previous, revision: this.revision };
    this.#modified = this.#kept(event);
    return event;
  }

  #asDeleted(previous: CacheEntry): CacheEvent {
    const made = known(this.#deleted);
    if (made !== undefined) return made;
    const { revision } = this;
    const event: CacheEvent = { type: 'DELETED', entry: restamp(previous, revision), previous, revision };
    this.#deleted = this.#kept(event);
    return event;
  }

  #kept(event: CacheEvent): MadeEvent {
    return this.#isSettled ? new WeakRef(event) : event;
  }
}

function known(made: MadeEvent): CacheEvent | undefined {
  return made instanceof WeakRef ? made.deref() : made;
}
