const periodMs = 60_000;
const writesInPeriod = 6;

/**
 * How often each object may be written: controllers of other processes may disagree, and would write in turns without
 * end (apiserver/pkg/util/flowcontrol/apf_controller.go).
 */
export class WriteLimit {
  readonly #nowMs: () => number;
  /** The moments of the last writes by name. */
  readonly #writes = new Map<string, readonly number[]>();

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Counts a write, or returns false if there were too many within a minute. */
  take(name: string): boolean {
    const nowMs = this.#nowMs();
    const recent = (this.#writes.get(name) ?? []).filter((atMs) => nowMs - atMs < periodMs);
    if (recent.length >= writesInPeriod) return false;
    this.#writes.set(name, [...recent, nowMs]);
    return true;
  }

  /** Forgets what does not matter any more. */
  prune(): void {
    const nowMs = this.#nowMs();
    for (const [name, writes] of this.#writes) if (nowMs - (writes.at(-1) ?? 0) >= periodMs) this.#writes.delete(name);
  }
}
