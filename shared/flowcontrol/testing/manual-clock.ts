import type { QueueSetClock } from '#shared/flowcontrol/queueset/queue-set-options.ts';

interface Planned {
  readonly atNs: number;
  readonly event: () => void;
}

/** A clock that moves when a test says so. */
export class ManualClock implements QueueSetClock {
  #nowNs = 0;
  #planned: Planned[] = [];

  nowNs(): number {
    return this.#nowNs;
  }

  get latestNs(): number {
    return this.#nowNs;
  }

  after(durationNs: number, event: () => void): void {
    this.#planned.push({ atNs: this.#nowNs + durationNs, event });
    this.#planned.sort((a, b) => a.atNs - b.atNs);
  }

  /** Runs the events until then, each at its time. */
  moveTo(nowNs: number): void {
    for (;;) {
      const next = this.#planned[0];
      if (next === undefined || next.atNs > nowNs) break;
      this.#planned.shift();
      this.#nowNs = next.atNs;
      next.event();
    }
    this.#nowNs = nowNs;
  }
}
