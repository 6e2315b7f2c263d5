import type { QueueSetClock } from '#shared/flowcontrol/queueset/queue-set-options.ts';

class MonotonicClock implements QueueSetClock {
  latestNs = 0;

  nowNs(): number {
    return (this.latestNs = Math.round(performance.now() * 1e6));
  }

  after(durationNs: number, event: () => void): void {
    setTimeout(event, durationNs / 1e6).unref();
  }
}

/** The clock of this process. */
export const monotonicClock: QueueSetClock = new MonotonicClock();
