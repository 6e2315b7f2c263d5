import type { KubeObject } from '../../apimachinery/object.ts';
import type { ResourceCaches } from '../../registry/resource-caches.ts';
import type { CacheEntry, CacheEvent, CacheWatch, WatchCache } from '../../watchcache/watch-cache.ts';

const retryMs = 100;

/**
 * All objects of a resource in a compiled form, kept current by the process's watch cache. A lost watch keeps the last
 * state until the cache is back.
 */
export class ObjectIndex<T> {
  readonly #cache: WatchCache;
  readonly #compile: (object: KubeObject) => T;
  readonly #parse: (entry: CacheEntry) => KubeObject;
  readonly #onChange: () => void;
  #items = new Map<string, T>();
  #sorted: readonly T[] | undefined;
  #watch: CacheWatch | undefined;
  #starting: Promise<void> | undefined;
  #closed = false;

  constructor(caches: ResourceCaches, group: string, resource: string, compile: (object: KubeObject) => T, onChange: () => void) {
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

  /** `key` is `namespace/name`, or the name of an object without namespace. */
  get(key: string): T | undefined {
    return this.#items.get(key);
  }

  /** In the order of their keys. */
  all(): readonly T[] {
    return (this.#sorted ??= [...this.#items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item));
  }

  /** Waits until the cache is as new as storage, then reads the object from it. */
  async fresh(namespace: string, name: string): Promise<T | undefined> {
    await this.#cache.waitForCurrent();
    for (const entry of this.#cache.snapshot().entries('')) if (entry.name === name && entry.namespace === namespace) return this.#compile(this.#parse(entry));
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
    const items = new Map<string, T>();
    for (const entry of snapshot.entries('')) items.set(keyOf(entry), this.#compile(this.#parse(entry)));
    this.#items = items;
    this.#changed();
    this.#watch = this.#cache.watch({
      prefix: '', afterRevision: snapshot.revision, initialEvents: false,
      onEvents: (events) => this.#take(events),
      onProgress: () => undefined,
      onClose: (reason) => {
        if (reason === 'Stopped' || this.#closed) return;
        setTimeout(() => void this.#start().catch(() => undefined), retryMs).unref();
      },
    });
  }

  #take(events: readonly CacheEvent[]): void {
    for (const event of events) {
      if (event.type === 'DELETED') this.#items.delete(keyOf(event.entry));
      else this.#items.set(keyOf(event.entry), this.#compile(this.#parse(event.entry)));
    }
    this.#changed();
  }

  #changed(): void {
    this.#sorted = undefined;
    this.#onChange();
  }
}

function keyOf(entry: CacheEntry): string {
  return entry.namespace === '' ? entry.name : `${entry.namespace}/${entry.name}`;
}
