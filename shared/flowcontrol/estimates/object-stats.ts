/** How many objects of a resource are stored, and how large they are. */
export interface ObjectStats {
  readonly count: number;
  readonly averageBytes: number;
}

/** Nobody has told the numbers of a resource for so long: they count as infinite. */
const staleAfterMs = 3 * 60_000;
/** After so long, a resource is no longer known. */
const forgottenAfterMs = 60 * 60_000;
const stale: ObjectStats = { count: 1_000_000_000, averageBytes: 1_500_000 };

/**
 * What the servers of resources told of their objects (apiserver/pkg/util/flowcontrol/request/object_count_tracker.go).
 */
export class ObjectStatsTable {
  readonly #nowMs: () => number;
  readonly #told = new Map<string, { readonly stats: ObjectStats; readonly atMs: number }>();

  #prunedAtMs: number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#prunedAtMs = nowMs();
  }

  tell(group: string, resource: string, stats: ObjectStats): void {
    const nowMs = this.#nowMs();
    this.#told.set(keyOf(group, resource), { stats, atMs: nowMs });
    if (nowMs - this.#prunedAtMs < forgottenAfterMs) return;
    this.#prunedAtMs = nowMs;
    for (const [key, { atMs }] of this.#told) if (nowMs - atMs > forgottenAfterMs) this.#told.delete(key);
  }

  /** Undefined for resources that nobody told of, such as those of registered servers. */
  of(group: string, resource: string): ObjectStats | undefined {
    const told = this.#told.get(keyOf(group, resource));
    if (told === undefined) return undefined;
    return this.#nowMs() - told.atMs > staleAfterMs ? stale : told.stats;
  }
}

/** Neither has a slash. */
function keyOf(group: string, resource: string): string {
  return `${group}/${resource}`;
}
