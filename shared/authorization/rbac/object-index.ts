import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { ResourceCaches } from '../../registry/resource-caches.ts';
import { CacheFollower } from '../../follow/cache-follower.ts';
import type { CacheEntry, CacheEvent, CacheSnapshot, WatchCache } from '../../watchcache/watch-cache.ts';
import { SortedItems } from './sorted-items.ts';

export interface ObjectIndexWork<T> {
  readonly compile: (object: KubeObject) => T;
  /**
   * Called with the namespace in which compiled objects changed; empty for cluster-scoped objects, and if everything may
   * have changed.
   */
  readonly onChange: (namespace: string) => void;
  /** Called before that with each compiled object that came, went or was replaced. */
  readonly onItem?: (before: T | undefined, after: T | undefined) => void;
}

/**
 * All objects of a resource in a compiled form, kept current by the process's watch cache. A lost watch keeps the last
 * state until the cache is back.
 */
export class ObjectIndex<T> {
  readonly #cache: WatchCache;
  readonly #compile: (object: KubeObject) => T;
  readonly #parse: (entry: CacheEntry) => KubeObject;
  readonly #onChange: (namespace: string) => void;
  readonly #onItem: ((before: T | undefined, after: T | undefined) => void) | undefined;
  #items = new Map<string, SortedItems<T>>();
  readonly #follower: CacheFollower;

  constructor(
    caches: ResourceCaches,
    group: string,
    resource: string,
    { compile, onChange, onItem }: ObjectIndexWork<T>,
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
    return this.#items.get(namespace)?.get(name);
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
      for (const { items } of before.values()) for (const item of items) this.#onItem(item, undefined);
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
    const item = this.#compile(this.#parse(entry));
    const before = items.put(entry.name, item);
    this.#onItem?.(before, item);
    return before === undefined || !isDeepStrictEqual(before, item);
  }

  #delete(entry: CacheEntry): boolean {
    const items = this.#items.get(entry.namespace);
    const before = items?.delete(entry.name);
    if (items === undefined || before === undefined) return false;
    this.#onItem?.(before, undefined);
    if (items.items.length === 0) this.#items.delete(entry.namespace);
    return true;
  }
}
