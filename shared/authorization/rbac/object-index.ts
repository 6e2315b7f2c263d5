import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { CacheFollower } from '#shared/follow/cache-follower.ts';
import type { ResourceCaches } from '#shared/registry/resource-caches.ts';
import type { CacheEntry, CacheEvent, CacheSnapshot, WatchCache } from '#shared/watchcache/watch-cache.ts';
import { SortedItems } from './sorted-items.ts';

export interface ObjectIndexOptions<T> {
  readonly compile: (object: KubeObject) => T;
  /**
   * Called with the namespace in which compiled objects changed; empty for cluster-scoped objects, and if everything may
   * have changed.
   */
  readonly onChange: (namespace: string) => void;
  /** Called before that with each compiled object that came, went or was replaced. */
  readonly onItem?: (before: T | undefined, after: T | undefined) => void;
}

/** Objects of more bytes are not compared with what they replace, which would hold the event loop. */
const largeBytes = 64 * 1024;

/**
 * All objects of a resource in a compiled form, kept current by the process's watch cache. An object is compiled when
 * it is asked for: a role may be large, and bound to nobody. Where `onItem` is told of all objects, each is compiled at
 * once. A lost watch keeps the last state until the cache is back.
 */
export class ObjectIndex<T> {
  readonly #cache: WatchCache;
  readonly #compile: (object: KubeObject) => T;
  readonly #parse: (entry: CacheEntry) => KubeObject;
  readonly #onChange: (namespace: string) => void;
  readonly #onItem: ((before: T | undefined, after: T | undefined) => void) | undefined;
  #items = new Map<string, SortedItems<Item<T>>>();
  readonly #follower: CacheFollower;

  constructor(
    caches: ResourceCaches,
    group: string,
    resource: string,
    { compile, onChange, onItem }: ObjectIndexOptions<T>,
  ) {
    this.#cache = caches.cache(group, resource);
    this.#parse = (entry) => caches.parse(entry);
    this.#compile = compile;
    this.#onChange = onChange;
    this.#onItem = onItem;
    this.#follower = new CacheFollower({
      cache: this.#cache,
      onState: (snapshot) => this.#takeAll(snapshot),
      onEvents: (events) => this.#take(events),
    });
  }

  /** Resolves when the initial state has been indexed. */
  ready(): Promise<void> {
    return this.#follower.ready();
  }

  /** Resolves when the index is as new as storage was at the call. */
  current(): Promise<void> {
    return this.#follower.current();
  }

  isReady(): boolean {
    return this.#follower.isReady();
  }

  /** `namespace` is empty for an object without one. */
  get(namespace: string, name: string): T | undefined {
    return this.#items.get(namespace)?.get(name)?.compiled();
  }

  /** Waits until the cache is as new as storage, then reads the object from it. */
  async fresh(namespace: string, name: string): Promise<T | undefined> {
    await this.#cache.waitForCurrent();
    for (const entry of this.#cache.snapshot().entries(''))
      if (entry.name === name && entry.namespace === namespace) return this.#compile(this.#parse(entry));
    return undefined;
  }

  close(): void {
    this.#follower.close();
  }

  #takeAll(snapshot: CacheSnapshot): void {
    const before = this.#items;
    if (this.#onItem !== undefined)
      for (const { items } of before.values()) for (const item of items) this.#onItem(item.compiled(), undefined);
    this.#items = new Map();
    for (const entry of snapshot.entries('')) this.#put(entry);
    for (const namespace of new Set([...before.keys(), ...this.#items.keys(), ''])) this.#onChange(namespace);
  }

  /** An object that compiles to the same value as before (only a label or an annotation differs) is no change. */
  #take(events: readonly CacheEvent[]): void {
    const changed = new Set<string>();
    for (const { type, entry } of events) {
      if (type === 'DELETED' ? this.#delete(entry) : this.#put(entry)) changed.add(entry.namespace);
    }
    for (const namespace of changed) this.#onChange(namespace);
  }

  #put(entry: CacheEntry): boolean {
    let items = this.#items.get(entry.namespace);
    if (items === undefined) this.#items.set(entry.namespace, (items = new SortedItems()));
    const item = new Item(entry.json.length, () => this.#compile(this.#parse(entry)));
    const before = items.put(entry.name, item);
    this.#onItem?.(before?.compiled(), item.compiled());
    return before === undefined || before.isReplacedBy(item);
  }

  #delete(entry: CacheEntry): boolean {
    const items = this.#items.get(entry.namespace);
    const before = items?.delete(entry.name);
    if (items === undefined || before === undefined) return false;
    this.#onItem?.(before.compiled(), undefined);
    if (items.items.length === 0) this.#items.delete(entry.namespace);
    return true;
  }
}

/** An object that is compiled at its first use. */
class Item<T> {
  readonly #bytes: number;
  readonly #compile: () => T;
  #compiled: { readonly value: T } | undefined;

  constructor(bytes: number, compile: () => T) {
    this.#bytes = bytes;
    this.#compile = compile;
  }

  compiled(): T {
    return (this.#compiled ??= { value: this.#compile() }).value;
  }

  /** Whether what was answered by this item may differ with the other in its place. Nothing was if nobody used it. */
  isReplacedBy(other: Item<T>): boolean {
    if (this.#compiled === undefined) return false;
    if (Math.max(this.#bytes, other.#bytes) > largeBytes) return true;
    return !isDeepStrictEqual(this.#compiled.value, other.compiled());
  }
}
