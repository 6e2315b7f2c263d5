const mebibyte = 1024 * 1024;

/** Bytes that each cache may hold, by the name of the cache in `/metrics`. */
const shares = {
  /** Protobuf messages of parts that objects have in common. */
  alike_messages: mebibyte,
  /** Parts of lists that were compressed. */
  compressed_runs: 16 * mebibyte,
  /** Custom resources that a webhook converted to another version. */
  converted: 32 * mebibyte,
  /** Compiled expressions of built-in objects; each core server has its own. */
  expressions: 16 * mebibyte,
  /** Sets of fields that managers own; the length of their texts counts. */
  field_sets: 4 * mebibyte,
  /** Objects in forms other than their stored JSON. */
  forms: 16 * mebibyte,
  /** Compiled regular expressions. */
  patterns: 32 * mebibyte,
  /** Parts of lists in protobuf. */
  protobuf_runs: 32 * mebibyte,
  /** Compiled validation rules of custom resources: about 5,000. */
  rules: 128 * mebibyte,
  /** Rows of tables, without their ages. */
  table_rows: 24 * mebibyte,
  /** Watch events in the form in which they are sent, with their objects, for moments. */
  watch_frames: 4 * mebibyte,
  /** What the newest writes have stored, as protobuf. */
  written_messages: 2 * mebibyte,
};

export type CacheName = keyof typeof shares;

/** Labels and value of one line of a metric. */
type Line = readonly [labels: readonly [cache: string], value: number];

/**
 * The memory budget of the caches of a process. A cache that is bounded by bytes takes its bound from here and reports
 * how many bytes it holds.
 */
export class CacheBudget {
  readonly #shares: Readonly<Record<CacheName, number>>;
  readonly #readers = new Map<CacheName, Set<() => number>>();

  constructor(bytes: Readonly<Record<CacheName, number>>) {
    this.#shares = bytes;
  }

  /** Bytes that a cache of this name may hold. */
  share(cache: CacheName): number {
    return this.#shares[cache];
  }

  /**
   * Adds a cache to {@link held} and {@link limits}. Caches of one name, as of several servers in one process, are
   * added up. @returns a function that removes the cache
   */
  register(cache: CacheName, heldBytes: () => number): () => void {
    const readers = this.#readers.get(cache) ?? new Set();
    this.#readers.set(cache, readers);
    readers.add(heldBytes);
    return () => void readers.delete(heldBytes);
  }

  /** Bytes that are held, by cache. */
  *held(): Generator<Line> {
    for (const [cache, readers] of this.#readers)
      yield [[cache], readers.values().reduce((sum, read) => sum + read(), 0)];
  }

  /** Bytes that may be held, by cache; their sum is the most that all caches of the process take. */
  *limits(): Generator<Line> {
    for (const [cache, readers] of this.#readers) yield [[cache], readers.size * this.share(cache)];
  }
}

/** The budget of this process. */
export const processCaches = new CacheBudget(shares);
