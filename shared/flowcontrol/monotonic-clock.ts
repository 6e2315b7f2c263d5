import type { QueueSetClock } from '#shared/flowcontrol/queueset/queue-set-options.ts';

/** The clock of this process. */
export const monotonicClock: QueueSetClock = {
  nowNs: () => Math.round(performance.now() * 1e6),
  after: (durationNs, event) => void setTimeout(event, durationNs / 1e6).unref(),
};
