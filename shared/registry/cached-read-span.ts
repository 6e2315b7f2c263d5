import { activeSpan, runSpan } from '#shared/spans/active-span.ts';
import type { RequestSpan } from '#shared/spans/request-span.ts';
import type { WatchCache } from '#shared/watchcache/watch-cache.ts';

/** The newest state is that of the cache once it is as new as etcd. */
export function readEventOf(version: string): string {
  return version === '' ? 'About to Get from underlying storage' : 'About to fetch object from cache';
}

/**
 * The span of a read of one object (apiserver/pkg/storage/cacher/delegator.go, Get); undefined for a request that is
 * not traced.
 */
export function cachedReadSpan(key: string, version: string): RequestSpan | undefined {
  const active = activeSpan();
  if (active === undefined) return undefined;
  const span = active.child('cacher.Get', { 'audit-id': active.request.auditId, key, 'resource-version': version });
  span.event(readEventOf(version));
  return span;
}

/** Waits for the newest state of the object with this key. */
export function waitToRead(cache: WatchCache, key: string): Promise<number> {
  const span = cachedReadSpan(key, '');
  return span === undefined ? cache.waitForCurrent() : runSpan(span, () => cache.waitForCurrent());
}
