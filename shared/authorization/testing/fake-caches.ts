import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { ResourceCaches } from '#shared/registry/resource-caches.ts';
import type { CacheEntry, CacheWatchOptions, WatchCache } from '#shared/watchcache/watch-cache.ts';

interface Held {
  readonly entries: Map<string, CacheEntry>;
  readonly watches: Set<CacheWatchOptions>;
}

/** Caches whose contents a test sets; watchers get each event before the call returns. */
export class NodeFakeCaches implements ResourceCaches {
  readonly #held = new Map<string, Held>();
  #revision = 1;

  put(group: string, resource: string, object: KubeObject): void {
    const held = this.#of(group, resource);
    const { name = '', namespace = '' } = object.metadata;
    const key = `/${resource}/${namespace}/${name}`;
    const previous = held.entries.get(key);
    const entry: CacheEntry = {
      key,
      namespace,
      name,
      revision: ++this.#revision,
      json: Buffer.from(JSON.stringify(object)),
      labels: undefined,
      fields: undefined,
    };
    held.entries.set(key, entry);
    for (const watch of held.watches)
      watch.onEvents([{ type: previous ? 'MODIFIED' : 'ADDED', entry, previous, revision: entry.revision }]);
  }

  remove(group: string, resource: string, namespace: string, name: string): void {
    const held = this.#of(group, resource);
    const key = `/${resource}/${namespace}/${name}`;
    const entry = held.entries.get(key);
    if (!entry) return;
    held.entries.delete(key);
    for (const watch of held.watches)
      watch.onEvents([{ type: 'DELETED', entry, previous: entry, revision: ++this.#revision }]);
  }

  /** Ends the watches, as a cache does that lost storage; a new watch does not repeat earlier events. */
  loseWatches(group: string, resource: string): void {
    const { watches } = this.#of(group, resource);
    const lost = [...watches];
    watches.clear();
    for (const watch of lost) watch.onClose('Reset');
  }

  cache(group: string, resource: string): WatchCache {
    const held = this.#of(group, resource);
    const cache: Partial<WatchCache> = {
      ready: () => Promise.resolve(),
      isReady: () => true,
      get: (key) => held.entries.get(key),
      waitForCurrent: () => Promise.resolve(this.#revision),
      snapshot: () => ({
        revision: this.#revision,
        size: held.entries.size,
        entries: () => [...held.entries.values()],
        count: () => held.entries.size,
      }),
      watch: (options) => {
        held.watches.add(options);
        return {
          revision: this.#revision,
          pause: () => undefined,
          resume: () => undefined,
          stop: () => {
            held.watches.delete(options);
          },
        };
      },
    };
    return cache as WatchCache;
  }

  parse(entry: CacheEntry): KubeObject {
    return JSON.parse(entry.json.toString('utf8')) as KubeObject;
  }

  close(): void {
    this.#held.clear();
  }

  #of(group: string, resource: string): Held {
    const name = `${resource}.${group}`;
    let held = this.#held.get(name);
    if (!held) this.#held.set(name, (held = { entries: new Map(), watches: new Set() }));
    return held;
  }
}
