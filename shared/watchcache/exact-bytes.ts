import { ownBytes } from '#shared/apimachinery/bytes/own-bytes.ts';
import type { CacheEntry } from './watch-cache.ts';

/** The entry as it may be kept, with bytes of its own; the same instance if it has them already. */
export function withExactBytes(entry: CacheEntry): CacheEntry {
  const json = ownBytes(entry.json);
  return json === entry.json ? entry : { ...entry, json };
}
