import type { ServerOptions } from './server-options.ts';

type WatchCacheOptions = Pick<ServerOptions, 'watchCache' | 'watchCacheSizes'>;

/** A resource; the group is empty for the core group. */
interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** Resources without a watch cache, unless the flag gives a size for them (kubeapiserver.DefaultWatchCacheSizes). */
const uncachedByDefault = ['events', 'events.events.k8s.io'];

/** The sizes with those of resources that have none unless they are named. */
export function withDefaultCacheSizes(sizes: readonly string[]): readonly string[] {
  const named = new Set(sizes.map((text) => text.split('#', 1)[0]));
  return [...uncachedByDefault.filter((name) => !named.has(name)).map((name) => `${name}#0`), ...sizes];
}

/** Errors in `--watch-cache-sizes`, in the reference's words. It is read only where watch caches are on. */
export function watchCacheSizeErrors({ watchCache, watchCacheSizes }: WatchCacheOptions): string[] {
  if (!watchCache) return [];
  return watchCacheSizes.flatMap((text) => {
    const [, size, ...more] = text.split('#');
    if (size === undefined || more.length > 0) return [`invalid value of watch cache size: ${text}`];
    if (!/^[+-]?\d+$/.test(size) || !isInt64(size)) return [`invalid size of watch cache size: ${text}`];
    return Number(size) < 0 ? [`watch cache size cannot be negative: ${text}`] : [];
  });
}

/**
 * Whether lists of a resource behave as those of a watch cache do, by `--watch-cache` and `--watch-cache-sizes`. Sizes
 * above 0 are all alike: here, too, caches grow with what is in them.
 */
export function isWatchCached({ watchCache, watchCacheSizes }: WatchCacheOptions): (asked: GroupResource) => boolean {
  if (!watchCache) return () => false;
  const uncached = new Set(uncachedByDefault);
  for (const text of watchCacheSizes) {
    const [name = '', size] = text.split('#');
    if (Number(size) === 0) uncached.add(name);
    else uncached.delete(name);
  }
  return ({ group, resource }) => !uncached.has(group === '' ? resource : `${resource}.${group}`);
}

function isInt64(digits: string): boolean {
  const value = BigInt(digits.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value;
}
