import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import type { Storage } from '#shared/storage/storage.ts';
import type { HeldObjects } from '#shared/watchcache/watch-cache.ts';

/** A resource whose objects are counted. */
export interface CountedResource extends GroupResource {
  /** How many its cache holds; undefined while that cannot say. */
  readonly cached: () => HeldObjects | undefined;
  /** How many there are in storage; rejects where that does not answer. */
  readonly stored: () => Promise<number>;
}

export interface ObjectCount extends GroupResource {
  /** -1 where storage could not say. */
  readonly count: number;
  /** In storage; 0 where no cache knows. */
  readonly averageBytes: number;
}

interface StoredCount {
  readonly count: number;
  readonly atMs: number;
}

/** How many storage is asked for at once. */
const askedTogether = 8;

/**
 * How many objects there are of each resource: as the caches have them now, and as storage had them in the last period
 * where a cache is not filled (events usually have none).
 */
export class ObjectCounts {
  readonly #resources: () => Iterable<CountedResource>;
  readonly #periodMs: number;
  #stored = new Map<string, StoredCount>();
  #refreshing: Promise<void> | undefined;

  /** @param periodMs how old a count of storage may be */
  constructor(resources: () => Iterable<CountedResource>, periodMs: number) {
    this.#resources = resources;
    this.#periodMs = periodMs;
  }

  /** Resources that were not counted yet are left out. */
  *counts(): Iterable<ObjectCount> {
    for (const { group, resource, cached } of this.#resources()) {
      const held = cached();
      if (held !== undefined) {
        const averageBytes = held.count === 0 ? 0 : Math.trunc(held.storedBytes / held.count);
        yield { group, resource, count: held.count, averageBytes };
        continue;
      }
      const count = this.#stored.get(nameOf(group, resource))?.count;
      if (count !== undefined) yield { group, resource, count, averageBytes: 0 };
    }
  }

  /** Asks storage for what no cache holds, at most once in a period. */
  refresh(): Promise<void> {
    return (this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined)));
  }

  async #refresh(): Promise<void> {
    const kept = new Map<string, StoredCount>();
    const due: CountedResource[] = [];
    const oldestMs = performance.now() - this.#periodMs;
    for (const resource of this.#resources()) {
      if (resource.cached() !== undefined) continue;
      const name = nameOf(resource.group, resource.resource);
      const known = this.#stored.get(name);
      if (known !== undefined) kept.set(name, known);
      if (known === undefined || known.atMs < oldestMs) due.push(resource);
    }
    this.#stored = kept;
    for (let at = 0; at < due.length; at += askedTogether)
      await Promise.all(due.slice(at, at + askedTogether).map((resource) => this.#ask(resource)));
  }

  async #ask({ group, resource, stored }: CountedResource): Promise<void> {
    const count = await stored().catch(() => -1);
    this.#stored.set(nameOf(group, resource), { count, atMs: performance.now() });
  }
}

/** @param storagePrefix the first segments of the keys, without the cluster's: `configmaps` */
export async function countInStorage(storage: Storage, storagePrefix: string): Promise<number> {
  return (await storage.list(`/${storagePrefix}/`, { onlyCount: true })).count;
}

function nameOf(group: string, resource: string): string {
  return `${resource}.${group}`;
}
