import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { CacheEntry, WatchCache } from '#shared/watchcache/watch-cache.ts';

/**
 * The watch caches of a process: one for each stored resource, made at first use and shared by registries, authorizers,
 * admission plugins and controllers.
 */
export interface ResourceCaches {
  /** Throws for a resource that the facts do not know. */
  cache(group: string, resource: string): WatchCache;
  /** A parsed copy of the object; the caller owns it. */
  parse(entry: CacheEntry): KubeObject;
  close(): void;
}
