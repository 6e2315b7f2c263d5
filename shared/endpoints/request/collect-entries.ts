import { nextSlice, sliceMs } from '#shared/apimachinery/slices/slices.ts';
import type { ConvertEntries } from '#shared/registry/stored-form.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import type { Selection } from './selection.ts';

/** The selected entries of one page. */
export interface Collected {
  readonly entries: readonly CacheEntry[];
  /** The key of the last of them. */
  readonly lastKey: string;
  /** Whether entries were left that may be selected, too. */
  readonly more: boolean;
}

/** Entries between two checks of the clock. */
const entriesAtOnce = 1024;

/**
 * Collects a page in time slices: a selection that skips many objects lets other requests run. The source must not
 * change meanwhile.
 * @param limit most entries; 0: all
 */
export async function collect(source: Iterable<CacheEntry>, selection: Selection, limit: number): Promise<Collected> {
  const { key, matches } = selection;
  const entries: CacheEntry[] = [];
  let lastKey = '';
  let seen = 0;
  let sliceEnd = performance.now() + sliceMs;
  for (const entry of source) {
    if (++seen % entriesAtOnce === 0 && performance.now() >= sliceEnd) {
      await nextSlice();
      sliceEnd = performance.now() + sliceMs;
    }
    if (key !== undefined && entry.key !== key) continue;
    if (limit > 0 && entries.length >= limit) return { entries, lastKey, more: true };
    if (matches !== undefined && !matches(entry)) continue;
    entries.push(entry);
    lastKey = entry.key;
  }
  return { entries, lastKey, more: false };
}

/** Candidates that are converted before the next ones are read, where conditions may exclude many of them. */
const candidatesAtOnce = 500;

/** As {@link collect}, for entries that a webhook converts. The conditions hold for the converted entries. */
export async function collectConverted(
  source: Iterable<CacheEntry>,
  selection: Selection,
  limit: number,
  convert: ConvertEntries,
): Promise<Collected> {
  const { matches } = selection;
  if (matches === undefined) {
    const found = await collect(source, selection, limit);
    return { ...found, entries: await convert(found.entries) };
  }
  const entries: CacheEntry[] = [];
  let lastKey = '';
  for (const candidates of inGroups(source, selection.key)) {
    if (limit > 0 && entries.length >= limit) return { entries, lastKey, more: true };
    for (const entry of await convert(candidates)) {
      if (limit > 0 && entries.length >= limit) return { entries, lastKey, more: true };
      if (!matches(entry)) continue;
      entries.push(entry);
      lastKey = entry.key;
    }
    await nextSlice();
  }
  return { entries, lastKey, more: false };
}

function* inGroups(source: Iterable<CacheEntry>, key: string | undefined): Generator<CacheEntry[]> {
  let group: CacheEntry[] = [];
  for (const entry of source) {
    if (key !== undefined && entry.key !== key) continue;
    group.push(entry);
    if (group.length < candidatesAtOnce) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
