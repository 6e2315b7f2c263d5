import type { ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { CacheEntry, CacheWatchOptions, WatchCache } from '#shared/watchcache/watch-cache.ts';

/** Where the objects of a resource are stored, if that is not its name. */
const prefixes: Readonly<Record<string, string>> = { nodes: 'minions' };

interface Held {
  readonly entries: Map<string, CacheEntry>;
  readonly watches: Set<CacheWatchOptions>;
  /** Runs when a caller waits for the newest state. */
  onCurrent: () => void;
}

/** Caches whose contents a test sets; watchers get each event before the call returns. */
export class FakeCaches implements ObjectCaches {
  readonly #held = new Map<string, Held>();
  #revision = 1;

  /** Returns the stored object with its new resourceVersion. */
  put(group: string, resource: string, object: KubeObject): KubeObject {
    const held = this.#of(group, resource);
    const revision = ++this.#revision;
    const stored: KubeObject = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
    const { name = '', namespace = '' } = object.metadata;
    const key = keyOf(resource, namespace, name);
    const previous = held.entries.get(key);
    const entry: CacheEntry = {
      key,
      namespace,
      name,
      revision,
      json: Buffer.from(JSON.stringify(stored)),
      labels: object.metadata.labels,
      fields: undefined,
    };
    held.entries.set(key, entry);
    for (const watch of held.watches)
      watch.onEvents([{ type: previous ? 'MODIFIED' : 'ADDED', entry, previous, revision }]);
    return stored;
  }

  remove(group: string, resource: string, namespace: string, name: string): void {
    const held = this.#of(group, resource);
    const key = keyOf(resource, namespace, name);
    const entry = held.entries.get(key);
    if (entry === undefined) return;
    held.entries.delete(key);
    for (const watch of held.watches)
      watch.onEvents([{ type: 'DELETED', entry, previous: entry, revision: ++this.#revision }]);
  }

  /** Registers a change in storage that only a consistent read sees. */
  onCurrent(group: string, resource: string, happens: () => void): void {
    this.#of(group, resource).onCurrent = happens;
  }

  cache(group: string, resource: string): WatchCache {
    const held = this.#of(group, resource);
    const below = (prefix: string): CacheEntry[] =>
      [...held.entries.values()].filter(({ key }) => key.startsWith(prefix));
    const cache: Partial<WatchCache> = {
      ready: () => Promise.resolve(),
      isReady: () => true,
      get: (key) => held.entries.get(key),
      waitForCurrent: () => {
        held.onCurrent();
        return Promise.resolve(this.#revision);
      },
      snapshot: () => ({
        revision: this.#revision,
        size: held.entries.size,
        entries: below,
        count: (prefix) => below(prefix).length,
      }),
      watch: (options) => {
        held.watches.add(options);
        return {
          revision: this.#revision,
          pause: () => undefined,
          resume: () => undefined,
          stop: () => void held.watches.delete(options),
        };
      },
    };
    return cache as WatchCache;
  }

  parse(entry: CacheEntry): KubeObject {
    return JSON.parse(entry.json.toString('utf8')) as KubeObject;
  }

  #of(group: string, resource: string): Held {
    const name = `${resource}.${group}`;
    let held = this.#held.get(name);
    if (!held) this.#held.set(name, (held = { entries: new Map(), watches: new Set(), onCurrent: () => undefined }));
    return held;
  }
}

function keyOf(resource: string, namespace: string, name: string): string {
  return `/${prefixes[resource] ?? resource}/${namespace === '' ? '' : `${namespace}/`}${name}`;
}
