import type { CacheChange } from './cache-change.ts';
import { PastStates } from './past-states.ts';
import type { CacheEntry } from './watch-cache.ts';

export interface ChangeRingLimits {
  /** This many changes are kept whatever their age, unless they keep more than `minBytes`. */
  readonly minChanges: number;
  readonly minBytes: number;
  readonly maxChanges: number;
  /**
   * Changes younger than this are kept, up to the maximum. The value of the reference: the interval of bookmarks and 15
   * s.
   */
  readonly freshMs: number;
  /** The most bytes of replaced states that history may keep. */
  readonly maxBytes: number;
  /** A change that replaced this many bytes is large: it is kept for `largeFreshMs` only, as is what was before it. */
  readonly largeBytes: number;
  readonly largeFreshMs: number;
  /** Replaced states of changes that are older take little memory, and time to read. */
  readonly recentMs: number;
}

export const defaultRingLimits: ChangeRingLimits = {
  minChanges: 100,
  minBytes: 1 << 20,
  maxChanges: 100 * 1024,
  freshMs: 75_000,
  maxBytes: 32 << 20,
  largeBytes: 256 << 10,
  largeFreshMs: 30_000,
  recentMs: 1_000,
};

/**
 * Recent changes in order, for watches that begin at a past revision and for snapshots of past states. Positions count
 * all changes since the beginning; those before `start` have been dropped. Every change after `baseRevision` is held.
 */
export class ChangeRing {
  readonly #limits: ChangeRingLimits;
  /** `#changes[#head]` has position `#start`; items before the head are cleared, and removed from time to time. */
  #changes: (CacheChange | undefined)[] = [];
  #head = 0;
  #start = 0;
  #bytes = 0;
  /** Positions of large changes, oldest first. */
  #large: number[] = [];
  #baseRevision: number;
  readonly #past: PastStates;

  /** @param forget is told of entries that are no longer read, but by watches that begin in the past */
  constructor(baseRevision: number, limits: ChangeRingLimits, forget: (entry: CacheEntry) => void = nothing) {
    this.#baseRevision = baseRevision;
    this.#limits = limits;
    this.#past = new PastStates(limits.recentMs, forget);
  }

  get start(): number {
    return this.#start;
  }

  get end(): number {
    return this.#start + this.size;
  }

  get size(): number {
    return this.#changes.length - this.#head;
  }

  /** How many changes it has room for at present. */
  get capacity(): number {
    return Math.max(this.#limits.minChanges, this.size);
  }

  get baseRevision(): number {
    return this.#baseRevision;
  }

  at(position: number): CacheChange | undefined {
    return position < this.#start ? undefined : this.#changes[this.#head + position - this.#start];
  }

  append(change: CacheChange): void {
    const { historyBytes } = change;
    if (historyBytes >= this.#limits.largeBytes) this.#large.push(this.end);
    this.#changes.push(change);
    this.#bytes += historyBytes;
  }

  /** Drops changes beyond the limits, and makes those small that are not recent. Returns whether any were dropped. */
  trim(nowMs: number): boolean {
    const { minChanges, minBytes, maxChanges, freshMs, maxBytes } = this.#limits;
    const before = this.#start;
    const firstKept = this.#firstBehindOldLarge(nowMs);
    while (this.size > 0) {
      const oldest = this.#changes[this.#head] as CacheChange;
      const tooMany = this.#start < firstKept || this.size > maxChanges || this.#bytes > maxBytes;
      const few = this.size <= minChanges && this.#bytes <= minBytes;
      if (!tooMany && (few || nowMs - oldest.atMs < freshMs)) break;
      this.#dropOldest(oldest);
    }
    if (this.#head > 1_024 && this.#head * 2 > this.#changes.length) {
      this.#changes = this.#changes.slice(this.#head);
      this.#head = 0;
    }
    this.#past.advance(this, nowMs);
    return this.#start > before;
  }

  /** The change of a key at a revision; undefined if it is not here. */
  changeOf(key: string, revision: number): CacheChange | undefined {
    for (let position = this.positionAfter(revision - 1) ?? this.end; position < this.end; position++) {
      const change = this.at(position);
      if (change?.revision !== revision) break;
      if (change.key === key) return change;
    }
    return undefined;
  }

  /** Position of the first change after `revision`; undefined if some of them have been dropped. */
  positionAfter(revision: number): number | undefined {
    if (revision < this.#baseRevision) return undefined;
    let low = this.#start;
    let high = this.end;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.at(middle) as CacheChange).revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Position of the first change behind the large ones that are no longer kept. */
  #firstBehindOldLarge(nowMs: number): number {
    const isKept = (position: number): boolean => {
      const change = this.at(position);
      return change !== undefined && nowMs - change.atMs < this.#limits.largeFreshMs;
    };
    const old = this.#large.findIndex(isKept);
    const gone = this.#large.splice(0, old === -1 ? this.#large.length : old);
    return (gone.at(-1) ?? -1) + 1;
  }

  #dropOldest(oldest: CacheChange): void {
    this.#changes[this.#head] = undefined;
    this.#head += 1;
    this.#start += 1;
    this.#bytes -= oldest.historyBytes;
    this.#baseRevision = oldest.revision;
  }
}

function nothing(): void {}
