import type { AgeClock } from '#shared/serializer/table/age-clock.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';

/** The inputs, besides the entry, that determine the bytes of an item. */
export interface ItemForm {
  /** Names the form: the same entry has the same bytes in the same form. */
  readonly formId: string;
  /** The time from which ages are computed; undefined for forms that show none. */
  readonly clock: AgeClock | undefined;
}

/** The body of a list: the head and tail of this response, and the items, whose bytes are made when they are read. */
export interface ListBody extends ItemForm {
  readonly head: readonly Uint8Array[];
  /** The separator of two items. */
  readonly between: Uint8Array;
  readonly entries: readonly CacheEntry[];
  /** The bytes of one item. They are not cached here; forms that are costly to make have a cache of their own. */
  readonly item: (entry: CacheEntry) => readonly Uint8Array[];
  /**
   * The bytes of the items from `start` to before `end`, for forms where joining short items costs less than making
   * each by itself.
   */
  readonly joined?: (start: number, end: number) => Iterable<Uint8Array>;
  readonly tail: readonly Uint8Array[];
}

/**
 * Bytes of a body in order, made as they are read: the cost of one step is bounded by one object. An empty buffer marks
 * a place within a large object where other requests may run.
 */
export type Pieces = Iterable<Uint8Array>;

/** The body in order, item by item. */
export function* listPieces(body: ListBody): Generator<Uint8Array, void> {
  yield* body.head;
  yield* itemPieces(body, 0, body.entries.length);
  yield* body.tail;
}

/** The items from `start` to before `end`, with the separators between them. */
export function* itemPieces(body: ListBody, start: number, end: number): Generator<Uint8Array, void> {
  const { between, entries, item } = body;
  if (body.joined !== undefined) {
    yield* body.joined(start, end);
    return;
  }
  for (let at = start; at < end; at++) {
    if (at > start && between.length > 0) yield between;
    const chunks = item(entries[at] as CacheEntry);
    for (let i = 0; i < chunks.length; i++) yield chunks[i] as Uint8Array;
  }
}

const shortestRun = 8;
const longestRun = 128;
/** Beyond the shortest run, a run ends on average after this many more entries. */
const boundaryMask = 31;

/**
 * The end of the run of entries that begins at `start`. The revision of the last entry decides it, so one changed entry
 * among thousands leaves all other runs as they were, wherever the list began.
 */
export function endOfRun(entries: readonly CacheEntry[], start: number): number {
  const last = Math.min(start + longestRun, entries.length) - 1;
  for (let at = start + shortestRun - 1; at < last; at++) {
    if (((entries[at] as CacheEntry).revision & boundaryMask) === 0) return at + 1;
  }
  return last + 1;
}

/** Whether a run has exactly the entries from `start` to before `end`. */
export function isStretch(
  run: readonly CacheEntry[],
  entries: readonly CacheEntry[],
  start: number,
  end: number,
): boolean {
  if (run.length !== end - start) return false;
  for (let at = 0; at < run.length; at++) if (run[at] !== entries[start + at]) return false;
  return true;
}

/** The whole body at once: for lists of few objects. */
export function listBodyChunks(body: ListBody): Uint8Array[] {
  return [...listPieces(body)];
}
