import type { CacheEntry } from './watch-cache.ts';

/** Entries that this process wrote and has already encoded, until the events of the writes arrive. */
export class LocalWrites {
  /** By key: of two quick writes of one key the newer stays, and the older is decoded. */
  readonly #entries = new Map<string, CacheEntry>();

  offer(entry: CacheEntry): void {
    this.#entries.set(entry.key, entry);
  }

  /** Whether {@link take} would return an entry. */
  has(key: string, revision: number): boolean {
    return this.#entries.get(key)?.revision === revision;
  }

  /** The offered entry of exactly this write. Drops older ones, since they will not be needed again. */
  take(key: string, revision: number): CacheEntry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.revision > revision) return undefined;
    this.#entries.delete(key);
    return entry.revision === revision ? entry : undefined;
  }

  clear(): void {
    this.#entries.clear();
  }
}
