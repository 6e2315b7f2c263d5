import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CacheEntry } from '../../../shared/watchcache/watch-cache.ts';

/** Objects that are looked at in one turn of the event loop: requests wait no longer than a few milliseconds. */
const sliceSize = 100;

/** Looks at one entry after the other, and lets others run in between. */
export async function eachEntry(
  entries: Iterable<CacheEntry>,
  look: (entry: CacheEntry) => Promise<void> | void,
): Promise<void> {
  let count = 0;
  for (const entry of entries) {
    await look(entry);
    if (++count % sliceSize === 0) await nextTurn();
  }
}
