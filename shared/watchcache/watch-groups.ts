import type { CacheChange } from './cache-change.ts';
import type { CacheWatchOptions } from './watch-cache.ts';
import { WatchGroup, shareName } from './watch-group.ts';

type Bucket = Set<WatchGroup>;

/**
 * Finds the groups that cover a key without checking the others: by the whole key, and by each prefix of the key that
 * ends with `/` (of the resource and of the namespace). For `/pods/default/a` it looks up this key and the prefixes
 * `/`, `/pods/` and `/pods/default/`.
 */
export class WatchGroups {
  readonly #byPrefix = new Map<string, Bucket>();
  readonly #byKey = new Map<string, Bucket>();
  /** Groups whose prefix does not end with `/`. */
  readonly #others: Bucket = new Set();
  readonly #shared = new Map<string, WatchGroup>();
  /** The length of the shortest prefix in use; shorter ones are not looked up. */
  #rootLength = Infinity;

  /** The group for a watch with these options. It stays until {@link release} finds it empty. */
  join(options: CacheWatchOptions): WatchGroup {
    const name = shareName(options);
    const present = name === undefined ? undefined : this.#shared.get(name);
    if (present !== undefined) return present;
    const group = new WatchGroup(options);
    if (name !== undefined) this.#shared.set(name, group);
    this.#bucketFor(group).add(group);
    return group;
  }

  release(group: WatchGroup): void {
    if (group.watchers.size > 0) return;
    if (group.shareName !== undefined) this.#shared.delete(group.shareName);
    const [map, name] = this.#placeOf(group);
    const bucket = map?.get(name) ?? this.#others;
    bucket.delete(group);
    if (bucket.size === 0) map?.delete(name);
  }

  /** Delivers changes, in order, to all watchers that select them. */
  dispatch(changes: readonly CacheChange[]): void {
    if (this.#byPrefix.size === 0 && this.#byKey.size === 0 && this.#others.size === 0) return;
    const touched: WatchGroup[] = [];
    for (const change of changes) this.#collect(change, touched);
    for (const group of touched) group.deliver();
  }

  #collect(change: CacheChange, touched: WatchGroup[]): void {
    const key = change.key;
    collectInto(this.#byKey.get(key), change, touched);
    for (let slash = key.indexOf('/', this.#rootLength - 1); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      collectInto(this.#byPrefix.get(key.slice(0, slash + 1)), change, touched);
    }
    for (const group of this.#others) {
      if (group.covers(key) && group.collect(change)) touched.push(group);
    }
  }

  #bucketFor(group: WatchGroup): Bucket {
    const [map, name] = this.#placeOf(group);
    if (map === undefined) return this.#others;
    if (map === this.#byPrefix) this.#rootLength = Math.min(this.#rootLength, name.length);
    let bucket = map.get(name);
    if (bucket === undefined) map.set(name, (bucket = new Set()));
    return bucket;
  }

  #placeOf(group: WatchGroup): [Map<string, Bucket> | undefined, string] {
    if (group.key !== undefined) return [this.#byKey, group.key];
    return group.prefix.endsWith('/') ? [this.#byPrefix, group.prefix] : [undefined, ''];
  }
}

function collectInto(bucket: Bucket | undefined, change: CacheChange, touched: WatchGroup[]): void {
  if (bucket === undefined) return;
  for (const group of bucket) if (group.collect(change)) touched.push(group);
}
