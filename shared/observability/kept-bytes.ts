const kept = new Map<string, () => number>();

/**
 * Tells in `/metrics` how many bytes a cache of this process holds. Each cache that is bounded by bytes says so, by a
 * name of its own.
 */
export function tellKeptBytes(cache: string, read: () => number): void {
  kept.set(cache, read);
}

/** Of all caches that told, by name. */
export function* keptBytes(): Generator<readonly [readonly [cache: string], number]> {
  for (const [cache, read] of kept) yield [[cache], read()];
}
