import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { parsePrinted } from '#shared/serializer/json/parse.ts';
import type { CacheEntry, WatchCache } from '#shared/watchcache/watch-cache.ts';

/** The objects of a cache as flow control reads them; each version of an object is read once. */
export class ReadObjects<Read> {
  readonly #cache: WatchCache;
  readonly #read: (object: JsonObject) => Read;
  readonly #known = new WeakMap<CacheEntry, { readonly read: Read }>();

  constructor(cache: WatchCache, read: (object: JsonObject) => Read) {
    this.#cache = cache;
    this.#read = read;
  }

  *all(): Steps<Read[]> {
    const all: Read[] = [];
    for (const entry of this.#cache.snapshot().entries('/')) {
      let known = this.#known.get(entry);
      if (known === undefined) {
        known = { read: this.#read((yield* parsePrinted(entry.json.toString('utf8'))) as JsonObject) };
        this.#known.set(entry, known);
        yield;
      }
      all.push(known.read);
    }
    return all;
  }
}
