import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { ResourceCaches } from '../../registry/resource-caches.ts';
import type { CacheEntry, CacheEvent, CacheWatch, WatchCache } from '../../watchcache/watch-cache.ts';
import { SortedItems } from './sorted-items.ts';

const retryMs = 100;

/**
 * All objects of a resource in a compiled form, kept current by the process's watch cache. A lost watch keeps the last
 * state until the cache is back.
 */
export class ObjectIndex<T> {
  readonly #cache: WatchCache;
  readonly #compile: (object: KubeObject) => T;
  readonly #parse: (entry: CacheEntry) => KubeObject;
  readonly #onChange: (namespace: string) => void;
  #items = new Map<string, SortedItems<T>>();
  #watch: CacheWatch | undefined;
  #starting: Promise<void> | undefined;
  #closed = false;

  /**
   * `onChange` is told the namespace in which something else is compiled now; empty for what has none, and for
   * everything.
   */
  constructor(
    caches: ResourceCaches,
    group: string,
    resource: string,
    compile: (object: KubeObject) => T,
    onChange: (namespace: string) => void,
  ) {
    this.#cache = caches.cache(group, resource);
    this.#parse = (entry) => caches.parse(entry);
    this.#compile = compile;
    this.#onChange = onChange;
  }

  /** Resolves when the present state is in. */
  ready(): Promise<void> {
    return (this.#starting ??= this.#start());
  }

  /** Resolves when it is as new as storage was at the call. */
  async current(): Promise<void> {
    await this.ready();
    await this.#cache.waitForCurrent();
    // Events are handed out in the turn after the cache took them.
    await new Promise((resolve) => setImmediate(resolve));
  }

  isReady(): boolean {
    return this.#watch !== undefined;
  }

  /** `namespace` is empty for an object without one. */
  get(namespace: string, name: string): T | undefined {
    return this.#items.get(namespace)?.get(name);
  }

  /** Those of a namespace, in the order of their names. */
  in(namespace: string): readonly T[] {
    return this.#items.get(namespace)?.items ?? none;
  }

  /** Waits until the cache is as new as storage, then reads the object from it. */
  async fresh(namespace: string, name: string): Promise<T | undefined> {
    await this.#cache.waitForCurrent();
    for (const entry of this.#cache.snapshot().entries(''))
      if (entry.name === name && entry.namespace === namespace) return this.#compile(this.#parse(entry));
    return undefined;
  }

  close(): void {
    this.#closed = true;
    this.#watch?.stop();
  }

  async #start(): Promise<void> {
    await this.#cache.ready();
    if (this.#closed) return;
    const snapshot = this.#cache.snapshot();
    const before = this.#items;
    this.#items = new Map();
    for (const entry of snapshot.entries('')) this.#put(entry);
    for (const namespace of new Set([...before.keys(), ...this.#items.keys(), ''])) this.#onChange(namespace);
    this.#watch = this.#cache.watch({
      prefix: '',
      afterRevision: snapshot.revision,
      initialEvents: false,
      onEvents: (events) => this.#take(events),
      onProgress: () => undefined,
      onClose: (reason) => {
        if (reason === 'Stopped' || this.#closed) return;
        setTimeout(() => void this.#start().catch(() => undefined), retryMs).unref();
      },
    });
  }

  /** What is compiled to the same as before (another label, another annotation) is no change. */
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
    return before === undefined || !isDeepStrictEqual(before, item);
  }

  #delete(entry: CacheEntry): boolean {
    const items = this.#items.get(entry.namespace);
    if (items?.delete(entry.name) !== true) return false;
    if (items.items.length === 0) this.#items.delete(entry.namespace);
    return true;
  }
}

const none: readonly never[] = [];
