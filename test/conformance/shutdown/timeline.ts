/** An answer that a probe saw, from a moment on, in milliseconds after the signal. */
export interface Change {
  readonly atMs: number;
  readonly answer: string;
}

/** What every probe saw over time: only changes are kept. Times before the signal count as 0. */
export class Timeline {
  readonly #changes = new Map<string, Change[]>();
  #signalledAtMs: number | undefined;

  /** The moment of the signal. Of the time before, only the last answers stay. */
  start(): void {
    this.#signalledAtMs = performance.now();
    for (const changes of this.#changes.values()) changes.splice(0, changes.length - 1);
  }

  note(probe: string, answer: string, atMs = performance.now()): void {
    const changes = this.#changes.get(probe) ?? [];
    this.#changes.set(probe, changes);
    if (changes.at(-1)?.answer === answer) return;
    changes.push({ atMs: this.#signalledAtMs === undefined ? 0 : Math.max(0, atMs - this.#signalledAtMs), answer });
  }

  /** What a probe saw last. */
  last(probe: string): string | undefined {
    return this.#changes.get(probe)?.at(-1)?.answer;
  }

  get changes(): ReadonlyMap<string, readonly Change[]> {
    return this.#changes;
  }
}
