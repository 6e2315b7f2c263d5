const mebibyte = 1024 * 1024;

/** Bytes that each cache may hold, by the name under which `/metrics` tells it. */
const shares = {
  /** Protobuf messages of parts that objects have in common. */
  alike_messages: mebibyte,
  /** Parts of lists that were compressed. */
  compressed_runs: 16 * mebibyte,
  /** Compiled expressions of built-in objects; each core server has its own. */
  expressions: 16 * mebibyte,
  /** Sets of fields that managers own, counted by their texts. */
  field_sets: 4 * mebibyte,
  /** Objects in other forms than their stored JSON. */
  forms: 16 * mebibyte,
  /** Compiled regular expressions. */
  patterns: 32 * mebibyte,
  /** Parts of lists in protobuf. */
  protobuf_runs: 32 * mebibyte,
  /** Compiled validation rules of custom resources: about 5,000. */
  rules: 128 * mebibyte,
  /** Rows of tables, but for their ages. */
  table_rows: 24 * mebibyte,
  /** Watch events, as they are sent. */
  watch_frames: 16 * mebibyte,
};

export type CacheName = keyof typeof shares;

/** Labels and value of one line of a metric. */
type Line = readonly [labels: readonly [cache: string], value: number];

/**
 * What the caches of a process may hold together. A cache that is bounded by bytes takes its bound from here and tells
 * what it holds.
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
   * From now on the cache counts in what is held and what may be held. Several of one name, of several servers in one
   * process, are added up. @returns ends it
   */
  tell(cache: CacheName, heldBytes: () => number): () => void {
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

/** Of this process; made with its first cache, before any flag is read. */
export const processCaches = new CacheBudget(shares);
