import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { budgetedCache } from '#shared/caches/budgeted-cache.ts';
import { JoinedBytes } from '#shared/serializer/protobuf/joined-bytes.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { endOfRun, isStretch } from './list-body.ts';
import type { ProtobufItems } from './protobuf-items.ts';

/** The items of a run of entries, one after the other. */
interface ProtobufRun {
  readonly entries: readonly CacheEntry[];
  readonly bytes: Buffer;
}

/**
 * One list caches no more than this: a longer list would evict its own first runs, and the next list would find none of
 * them.
 */
const maxListBytes = 24 * 1024 * 1024;
/** A run with more JSON than this is not joined, so that a time slice can end between its items. */
const longestRunBytes = 512 * 1024;
const overheadBytes = 500;

/** Runs by their first entry, then by form. Entries never change, so a run of the same entries has the same bytes. */
const cache = budgetedCache<CacheEntry, Map<string, ProtobufRun>>('protobuf_runs', (byForm) => {
  let size = overheadBytes;
  for (const run of byForm.values()) size += run.bytes.length + run.entries.length * 8 + overheadBytes;
  return size;
});

const joined = new JoinedBytes();
/** An item whose object has longer JSON is sent by itself. */
const longJson = 64 * 1024;
/** In a run that is not cached, short items are joined up to about this size. */
const pieceBytes = 64 * 1024;

/** The items of one list, made run by run; runs within the limits are cached for the next list. */
export class ProtobufRuns {
  readonly formId: string;
  readonly #entries: readonly CacheEntry[];
  readonly #items: ProtobufItems;
  #keptBytes = 0;

  constructor(formId: string, entries: readonly CacheEntry[], items: ProtobufItems) {
    this.formId = formId;
    this.#entries = entries;
    this.#items = items;
  }

  /**
   * The number of bytes of the items from `start` to before `end`, which are one run. A run that may be cached is
   * encoded here, since {@link pieces} reads it next.
   */
  *length(start: number, end: number): Steps<number> {
    const known = this.#known(start, end);
    if (known !== undefined) {
      this.#keptBytes += known.bytes.length;
      return known.bytes.length;
    }
    if (this.#keptBytes < maxListBytes && this.#jsonBytes(start, end) <= longestRunBytes)
      return this.#make(start, end).length;
    let size = 0;
    for (let at = start; at < end; at++) {
      size += this.#items.length(this.#entries[at] as CacheEntry);
      if (sliceIsOver()) yield;
    }
    return size;
  }

  /** The bytes of the items from `start` to before `end`, in pieces. */
  *pieces(start: number, end: number): Generator<Uint8Array, void> {
    for (let from = start; from < end;) {
      const stop = Math.min(end, endOfRun(this.#entries, from));
      const known = this.#known(from, stop);
      if (known !== undefined) yield known.bytes;
      else yield* this.#made(from, stop);
      from = stop;
    }
  }

  one(entry: CacheEntry): Buffer {
    this.#items.append(entry, joined.clear());
    return joined.take();
  }

  *#made(start: number, end: number): Generator<Uint8Array, void> {
    for (let at = start; at < end;) {
      const pieces = this.#ownPieces(this.#entries[at] as CacheEntry);
      if (pieces !== undefined) {
        yield* pieces;
        at++;
        continue;
      }
      joined.clear();
      do this.#items.append(this.#entries[at++] as CacheEntry, joined);
      while (at < end && joined.at < pieceBytes && (this.#entries[at] as CacheEntry).json.length <= longJson);
      yield joined.take();
    }
  }

  #ownPieces(entry: CacheEntry): readonly Uint8Array[] | undefined {
    return entry.json.length > longJson ? this.#items.pieces?.(entry) : undefined;
  }

  #make(start: number, end: number): Buffer {
    const entries = this.#entries.slice(start, end);
    joined.clear();
    for (const entry of entries) this.#items.append(entry, joined);
    const bytes = joined.take();
    const first = entries[0] as CacheEntry;
    const byForm = cache.get(first) ?? new Map<string, ProtobufRun>();
    byForm.set(this.formId, { entries, bytes });
    cache.delete(first);
    cache.set(first, byForm);
    this.#keptBytes += bytes.length;
    return bytes;
  }

  #known(start: number, end: number): ProtobufRun | undefined {
    const run = cache.get(this.#entries[start] as CacheEntry)?.get(this.formId);
    return run !== undefined && isStretch(run.entries, this.#entries, start, end) ? run : undefined;
  }

  #jsonBytes(start: number, end: number): number {
    let bytes = 0;
    for (let at = start; at < end; at++) bytes += (this.#entries[at] as CacheEntry).json.length;
    return bytes;
  }
}
