const longestSeconds = 32;

/** The requests of one level that were dropped lately, and how long their clients are to wait. */
class Dropped {
  /** Of each second with dropped requests before the present one: oldest first. */
  #history: { readonly second: number; readonly requests: number }[] = [];
  #second = 0;
  #requests = 0;
  #raisedAt = 0;
  retryAfter = 1;

  record(second: number): void {
    if (second === this.#second) {
      this.#requests++;
      return;
    }
    const ended = this.#second;
    this.#history.push({ second: ended, requests: this.#requests });
    const oldest = ended - Math.min(2 * this.retryAfter, longestSeconds);
    this.#history = this.#history.filter((entry) => entry.second >= oldest);
    [this.#second, this.#requests] = [second, 1];
    this.#adapt(second);
  }

  /** As TCP adapts its window, the other way round: doubled while many are dropped, else shortened by a second. */
  #adapt(second: number): void {
    const before = this.retryAfter;
    const dropped = this.#history
      .filter((entry) => second - entry.second <= before && entry.second < second)
      .reduce((sum, { requests }) => sum + requests, 0);
    if (second - this.#raisedAt >= before && dropped >= 3 * before) {
      this.retryAfter = Math.min(2 * before, longestSeconds);
      this.#raisedAt = second;
    } else if (dropped < before && before > 1) {
      this.retryAfter = before - 1;
    }
  }
}

/** The `Retry-After` of refused requests, by priority level (util/flowcontrol/dropped_requests_tracker.go). */
export class RetryAfter {
  readonly #levels = new Map<string, Dropped>();

  /** Counts a dropped request. Returns seconds. */
  dropped(level: string, second: number): number {
    let dropped = this.#levels.get(level);
    if (dropped === undefined) this.#levels.set(level, (dropped = new Dropped()));
    dropped.record(second);
    return dropped.retryAfter;
  }
}
