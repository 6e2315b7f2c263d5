import type { CacheChange } from './cache-change.ts';
import { packEntries } from './packed-entries.ts';
import type { CacheEntry } from './watch-cache.ts';

/** States are packed when those that wait have so many bytes together: 16 pods or more. Takes some 0.1 ms. */
const packedTogetherBytes = 64 * 1024;
/** A larger state is left as it is: reading it would take too long, and the ring keeps few of them. */
const largeBytes = 128 * 1024;
/** The most that one call packs. */
const packedAtOnceBytes = 1024 * 1024;

/** The ring, as its past sees it. */
interface History {
  readonly start: number;
  readonly end: number;
  readonly baseRevision: number;
  at(position: number): CacheChange | undefined;
  changeOf(key: string, revision: number): CacheChange | undefined;
}

/**
 * Makes the replaced states in a ring small once its watchers have been told of the changes. Watches that begin in the
 * past are rare, and most states of one resource are alike, so that they take a tenth of their memory.
 */
export class PastStates {
  readonly #recentMs: number;
  readonly #forget: (entry: CacheEntry) => void;
  /** The ring position of the first change that is still recent. */
  #next = 0;
  #waiting: CacheChange[] = [];
  #waitingBytes = 0;

  /** @param forget is told of entries that are no longer read, but by watches that begin in the past */
  constructor(recentMs: number, forget: (entry: CacheEntry) => void) {
    this.#recentMs = recentMs;
    this.#forget = forget;
  }

  /** Works on the changes that have become older than recent ones. */
  advance(ring: History, nowMs: number): void {
    this.#next = Math.max(this.#next, ring.start);
    let packedBytes = 0;
    for (; this.#next < ring.end && packedBytes < packedAtOnceBytes; this.#next++) {
      const change = ring.at(this.#next);
      if (change === undefined || nowMs - change.atMs < this.#recentMs) return;
      change.settle(this.#forget);
      const { previous } = change;
      if (previous === undefined || previous.unprinted !== undefined || previous.json.length >= largeBytes) continue;
      this.#waiting.push(change);
      this.#waitingBytes += previous.json.length;
      if (this.#waitingBytes < packedTogetherBytes) continue;
      packedBytes += this.#waitingBytes;
      this.#pack(ring);
    }
  }

  #pack(ring: History): void {
    const held = this.#waiting.filter(({ revision }) => revision > ring.baseRevision);
    const packed = packEntries(held.map(({ previous }) => previous as CacheEntry));
    for (const [at, state] of packed.entries()) {
      held[at]?.replacePrevious(state);
      // The earlier change that led to this state.
      ring.changeOf(state.key, state.revision)?.replaceEntry(state);
    }
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}
