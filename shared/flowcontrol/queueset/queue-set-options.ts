/** How a priority level queues requests; `queues`: 0 for none, below 0 for a level without limits. */
export interface QueueingConfig {
  readonly queues: number;
  readonly queueLengthLimit: number;
  readonly handSize: number;
}

/** Time in whole nanoseconds, by a monotonic clock. */
export interface QueueSetClock {
  nowNs(): number;
  /** The last reading, for what belongs to the same moment. */
  readonly latestNs: number;
  after(durationNs: number, event: () => void): void;
}

export type RejectReason = 'concurrency-limit' | 'queue-full' | 'time-out';

/** Takes what metrics count; the changes of numbers have signs. */
export interface QueueSetObserver {
  dispatched(flowSchema: string): void;
  waiting(flowSchema: string, requests: 1 | -1, seats: number): void;
  /** A request has joined a queue, which has so many now. */
  queued(flowSchema: string, length: number): void;
  executing(flowSchema: string, requests: 1 | -1): void;
  seatsInUse(flowSchema: string, seats: number): void;
  rejected(flowSchema: string, reason: RejectReason): void;
  dispatchWithoutRoom(flowSchema: string): void;
  /** Seats that are in use or waited for. */
  seatDemand(seats: number): void;
}

/** What a set of queues works with. */
export interface QueueSetParts {
  readonly clock: QueueSetClock;
  readonly observer: QueueSetObserver;
  /** Takes the seats that are in use or waited for, at each change. */
  readonly demand?: { set(seats: number): void } | undefined;
}
