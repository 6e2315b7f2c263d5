import type { KubeObject } from '#shared/apimachinery/object.ts';
import { CacheFollower } from '#shared/follow/cache-follower.ts';
import type { CacheEntry, CacheEvent, WatchCache } from '#shared/watchcache/watch-cache.ts';

/** Where plugins find the objects that they read: the watch caches of the process. */
export interface ObjectCaches {
  cache(group: string, resource: string): WatchCache;
  /** A parsed copy of the object. */
  parse(entry: CacheEntry): KubeObject;
}

const none: readonly KubeObject[] = Object.freeze([]);

/**
 * Objects of one resource as plugins see them: shared, each version parsed once, never to be changed. The index is
 * opened by the first call of {@link ready}.
 */
export class ObjectLister {
  readonly #caches: ObjectCaches;
  readonly #group: string;
  readonly #resource: string;
  readonly #prefix: string;
  readonly #parsed = new WeakMap<CacheEntry, KubeObject>();
  /** Namespace → key → entry; kept current by the follower after the first {@link ready}. */
  #index: Map<string, Map<string, CacheEntry>> | undefined;
  #follower: CacheFollower | undefined;

  /** `prefix`: where the objects are stored, if that is not the name of the resource. */
  constructor(caches: ObjectCaches, group: string, resource: string, prefix: string = resource) {
    this.#caches = caches;
    this.#group = group;
    this.#resource = resource;
    this.#prefix = prefix;
  }

  /** The object as the cache has it. Cluster objects have the namespace ''. */
  async get(namespace: string, name: string): Promise<KubeObject | undefined> {
    const cache = this.#cache();
    if (!cache.isReady()) await cache.ready();
    return this.#lookUp(cache, namespace, name);
  }

  /** The object, if the cache is there and has it. */
  peek(namespace: string, name: string): KubeObject | undefined {
    const cache = this.#cache();
    return cache.isReady() ? this.#lookUp(cache, namespace, name) : undefined;
  }

  /** The object from the cache, or, if it is not there, from a cache that has caught up with storage. */
  async getFresh(namespace: string, name: string): Promise<KubeObject | undefined> {
    const found = await this.get(namespace, name);
    if (found !== undefined) return found;
    const cache = this.#cache();
    await cache.waitForCurrent();
    return this.#lookUp(cache, namespace, name);
  }

  /** The object as storage has it now: waits until the cache has caught up. */
  async getNewest(namespace: string, name: string): Promise<KubeObject | undefined> {
    await this.#cache().waitForCurrent();
    return this.get(namespace, name);
  }

  /** True when {@link list} answers without waiting. */
  isReady(): boolean {
    return this.#index !== undefined;
  }

  /** Opens the index; resolves when it holds the present state. */
  ready(): Promise<void> {
    this.#follower ??= new CacheFollower({
      cache: this.#cache(),
      prefix: `/${this.#prefix}/`,
      onState: (snapshot) => {
        const index = new Map<string, Map<string, CacheEntry>>();
        for (const entry of snapshot.entries('')) put(index, entry);
        this.#index = index;
      },
      onEvents: (events) => {
        if (this.#index !== undefined) take(this.#index, events);
      },
    });
    return this.#follower.ready();
  }

  /** Whether there is any object in the namespace. Only after {@link ready}. */
  hasAny(namespace: string): boolean {
    return this.#index?.has(namespace) ?? false;
  }

  /** The object as the index has it. Only after {@link ready}. */
  find(namespace: string, name: string): KubeObject | undefined {
    const entry = this.#index?.get(namespace)?.get(this.#keyOf(namespace, name));
    return entry === undefined ? undefined : this.#parse(entry);
  }

  /** The objects of the namespace whose labels are wanted, in the order of their keys. Only after {@link ready}. */
  list(namespace = '', isWanted: (labels: CacheEntry['labels']) => boolean = () => true): readonly KubeObject[] {
    const held = this.#index?.get(namespace);
    if (held === undefined) return none;
    return [...held]
      .filter(([, { labels }]) => isWanted(labels))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, entry]) => this.#parse(entry));
  }

  close(): void {
    this.#follower?.close();
  }

  #keyOf(namespace: string, name: string): string {
    return `/${this.#prefix}/${namespace === '' ? '' : `${namespace}/`}${name}`;
  }

  #cache(): WatchCache {
    return this.#caches.cache(this.#group, this.#resource);
  }

  #lookUp(cache: WatchCache, namespace: string, name: string): KubeObject | undefined {
    const entry = cache.get(this.#keyOf(namespace, name));
    return entry === undefined ? undefined : this.#parse(entry);
  }

  #parse(entry: CacheEntry): KubeObject {
    let object = this.#parsed.get(entry);
    if (object === undefined) this.#parsed.set(entry, (object = this.#caches.parse(entry)));
    return object;
  }
}

function take(index: Map<string, Map<string, CacheEntry>>, events: readonly CacheEvent[]): void {
  for (const { type, entry } of events) {
    if (type !== 'DELETED') {
      put(index, entry);
      continue;
    }
    const held = index.get(entry.namespace);
    held?.delete(entry.key);
    if (held?.size === 0) index.delete(entry.namespace);
  }
}

function put(index: Map<string, Map<string, CacheEntry>>, entry: CacheEntry): void {
  const held = index.get(entry.namespace);
  if (held === undefined) index.set(entry.namespace, new Map([[entry.key, entry]]));
  else held.set(entry.key, entry);
}
