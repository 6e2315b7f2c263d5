import type { StorageEvent } from '#shared/storage/storage.ts';
import { CacheChange } from './cache-change.ts';
import type { ChangeRing } from './change-ring.ts';
import type { EntryIndex } from './entry-index.ts';
import type { CacheEntry } from './watch-cache.ts';

/** After this time, applying events pauses for other work. */
const sliceMs = 8;

export type StoragePut = StorageEvent & { type: 'put' };

/** The result of applying events: the changes that they made, and the number of events applied. */
interface AppliedEvents {
  readonly changes: readonly CacheChange[];
  readonly count: number;
  /** Whether an object was written that cannot be read: it leaves the index, which is no deletion. */
  readonly lost: boolean;
}

/** Applies events to an index and its history until the time is up; never stops within a revision. */
export function applyEvents(
  incoming: readonly StorageEvent[],
  index: EntryIndex,
  ring: ChangeRing,
  entryOf: (event: StoragePut) => CacheEntry | undefined,
  nowMs: number,
): AppliedEvents {
  const changes: CacheChange[] = [];
  let lost = false;
  const end = performance.now() + sliceMs;
  for (let i = 0; i < incoming.length; i++) {
    const event = incoming[i] as StorageEvent;
    const revision = revisionOf(event);
    const startsRevision = i > 0 && revisionOf(incoming[i - 1] as StorageEvent) !== revision;
    if (startsRevision && performance.now() > end) return { changes, count: i, lost };
    const entry = event.type === 'put' ? entryOf(event) : undefined;
    const key = event.type === 'put' ? event.kv.key : event.key;
    const previous = entry === undefined ? index.delete(key) : index.put(entry);
    if (entry === undefined && event.type === 'put') lost = true;
    if (entry === undefined && (event.type === 'put' || previous === undefined)) continue;
    const change = new CacheChange(revision, nowMs, entry, previous);
    ring.append(change);
    changes.push(change);
  }
  return { changes, count: incoming.length, lost };
}

export function revisionOf(event: StorageEvent): number {
  return event.type === 'put' ? event.kv.modRevision : event.revision;
}
