import type { KubeObject } from '../apimachinery/object.ts';
import type { CacheEntry, WatchCache } from '../watchcache/watch-cache.ts';

/**
 * The watch caches of a process, one a stored resource, made at first use. Registries read from them, and so do the
 * authorizers, admission plugins and controllers that only look at objects: nobody opens a second one.
 */
export interface ResourceCaches {
  /** Throws for a resource that the facts do not know. */
  cache(group: string, resource: string): WatchCache;
  /** A parsed copy of the object; the caller owns it. */
  parse(entry: CacheEntry): KubeObject;
  close(): void;
}
