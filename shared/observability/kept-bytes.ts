const kept = new Map<string, Set<() => number>>();

/**
 * Tells in `/metrics` how many bytes a cache of this process holds. Each cache that is bounded by bytes says so; those
 * of several servers in one process have one name and are added up. @returns ends it
 */
export function tellKeptBytes(cache: string, read: () => number): () => void {
  const readers = kept.get(cache) ?? new Set();
  kept.set(cache, readers.add(read));
  return () => void readers.delete(read);
}

/** Of all caches that told, by name. */
export function* keptBytes(): Generator<readonly [readonly [cache: string], number]> {
  for (const [cache, readers] of kept) yield [[cache], readers.values().reduce((sum, read) => sum + read(), 0)];
}
