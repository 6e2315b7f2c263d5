import type { QueueSetObserver } from '#shared/flowcontrol/queueset/queue-set-options.ts';

const nothing = (): void => {};

/** Counts nothing. */
export const noObserver: QueueSetObserver = {
  dispatched: nothing,
  waiting: nothing,
  queued: nothing,
  executing: nothing,
  seatsInUse: nothing,
  rejected: nothing,
  dispatchWithoutRoom: nothing,
  seatDemand: nothing,
};
