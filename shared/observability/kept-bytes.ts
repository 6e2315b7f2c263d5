interface Told {
  readonly readers: Set<() => number>;
  /** Of one cache; several servers in one process may have one each. */
  readonly maxBytes: number;
}

const kept = new Map<string, Told>();

/**
 * Tells in `/metrics` how many bytes a cache of this process holds, and how many it may hold: the sum of the latter is
 * what all caches of the process may take together. Each cache that is bounded by bytes tells both; those of several
 * servers in one process have one name and are added up. @returns ends it
 */
export function tellKeptBytes(cache: string, maxBytes: number, read: () => number): () => void {
  const told = kept.get(cache) ?? { readers: new Set(), maxBytes };
  kept.set(cache, told);
  told.readers.add(read);
  return () => void told.readers.delete(read);
}

/** What is held by all caches that told, by name. */
export function* keptBytes(): Generator<readonly [readonly [cache: string], number]> {
  for (const [cache, { readers }] of kept) yield [[cache], readers.values().reduce((sum, read) => sum + read(), 0)];
}

/** What they may hold. */
export function* maxKeptBytes(): Generator<readonly [readonly [cache: string], number]> {
  for (const [cache, { readers, maxBytes }] of kept) yield [[cache], readers.size * maxBytes];
}
