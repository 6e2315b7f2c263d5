import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';

/** How many entries one turn of the event loop processes, so that requests wait a few milliseconds at most. */
const sliceSize = 100;

/** Calls `visit` for every entry, with pauses in which the event loop runs other work. */
export async function eachEntry(
  entries: Iterable<CacheEntry>,
  visit: (entry: CacheEntry) => Promise<void> | void,
): Promise<void> {
  let count = 0;
  for (const entry of entries) {
    await visit(entry);
    if (++count % sliceSize === 0) await nextTurn();
  }
}
