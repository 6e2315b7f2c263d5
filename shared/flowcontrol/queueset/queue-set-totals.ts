/** Numbers for the debugging pages. */
export interface QueueSetTotals {
  requestsWaiting: number;
  requestsExecuting: number;
  seatsInUse: number;
  seatsWaiting: number;
  dispatched: number;
  rejected: number;
  timedOut: number;
  cancelled: number;
}

export function newTotals(): QueueSetTotals {
  return {
    requestsWaiting: 0,
    requestsExecuting: 0,
    seatsInUse: 0,
    seatsWaiting: 0,
    dispatched: 0,
    rejected: 0,
    timedOut: 0,
    cancelled: 0,
  };
}
