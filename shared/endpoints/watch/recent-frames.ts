import type { Buffer } from 'node:buffer';
import { ownBytes } from '#shared/apimachinery/bytes/own-bytes.ts';
import { processCaches } from '#shared/caches/cache-budget.ts';
import type { CacheEvent } from '#shared/watchcache/watch-cache.ts';

type Frames = Map<CacheEvent, Map<string, Buffer>>;

/** A watch asks for the frames of events when they happen, and within moments where it is slow. */
const momentMs = 250;

/**
 * Frames by event and form, so that all watchers of one form send the same bytes. Those that nobody asks for are
 * dropped after one or two moments: they die among V8's new objects, while a bound in bytes alone would keep them until
 * a collection of the whole heap.
 */
export class RecentFrames {
  readonly #maxBytes: number;
  readonly #now: () => number;
  #young: Frames = new Map();
  #old: Frames = new Map();
  #youngBytes = 0;
  #oldBytes = 0;
  #youngSinceMs = 0;

  /** @param maxBytes of frames and of what their events keep in memory; one event may be larger */
  constructor(maxBytes: number = processCaches.share('watch_frames'), now: () => number = () => performance.now()) {
    this.#maxBytes = maxBytes;
    this.#now = now;
  }

  get bytes(): number {
    return this.#youngBytes + this.#oldBytes;
  }

  /** The frame of an event in a form, made at its first use. */
  frameOf(event: CacheEvent, form: string, make: () => Buffer): Buffer {
    const known = this.#young.get(event)?.get(form);
    if (known !== undefined) return known;
    const frame = this.#old.get(event)?.get(form) ?? ownBytes(make());
    this.#add(event, form, frame);
    return frame;
  }

  #add(event: CacheEvent, form: string, frame: Buffer): void {
    this.#turnOver(frame.length + heldBytes(event));
    let byForm = this.#young.get(event);
    if (byForm === undefined) {
      this.#young.set(event, (byForm = new Map()));
      this.#youngBytes += heldBytes(event);
    }
    byForm.set(form, frame);
    this.#youngBytes += frame.length;
  }

  /** Begins with new frames after a moment, or where half of the room is taken. */
  #turnOver(more: number): void {
    const nowMs = this.#now();
    const isFull = this.#youngBytes + more > this.#maxBytes / 2;
    if (!isFull && nowMs - this.#youngSinceMs < momentMs) return;
    // An event of more than half of the room is kept alone, until the next one.
    const drops = nowMs - this.#youngSinceMs >= 2 * momentMs || this.#youngBytes > this.#maxBytes / 2;
    this.#old = drops ? new Map() : this.#young;
    this.#oldBytes = drops ? 0 : this.#youngBytes;
    this.#young = new Map();
    this.#youngBytes = 0;
    this.#youngSinceMs = nowMs;
  }
}

/** An event keeps the states before and after its change in memory. */
function heldBytes({ entry, previous }: CacheEvent): number {
  return 200 + entry.json.length * (previous === undefined ? 1 : 2);
}
