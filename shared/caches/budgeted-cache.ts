import { LRUCache } from 'lru-cache';
import { processCaches, type CacheName } from './cache-budget.ts';

/**
 * A cache that holds as many bytes as its share of the process's budget and drops the least recently used entries. A
 * process has one cache of each name.
 */
export function budgetedCache<Key extends {}, Value extends {}>(
  name: CacheName,
  bytesOf: (value: Value, key: Key) => number,
): LRUCache<Key, Value> {
  const cache = new LRUCache<Key, Value>({ maxSize: processCaches.share(name), sizeCalculation: bytesOf });
  processCaches.register(name, () => cache.calculatedSize);
  return cache;
}
