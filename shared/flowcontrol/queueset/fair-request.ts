import type { SeatSeconds } from '#shared/flowcontrol/work/seat-seconds.ts';
import { nsPerSeat, seatsTimesNs } from '#shared/flowcontrol/work/seat-seconds.ts';
import { maxSeats, type WorkEstimate } from '#shared/flowcontrol/work/work-estimate.ts';
import type { RequestInfo } from '#shared/request/request-info.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { Queue } from './queue.ts';

/** How long a request is expected to take when it begins; corrected when it ends. */
export const estimatedServiceNs = 3_000_000;

/** What a priority level needs to know of a request. */
export interface Arrival {
  readonly flowSchema: string;
  readonly flowDistinguisher: string;
  /** Undefined where the level has no queues. */
  readonly hash: bigint | undefined;
  readonly estimate: WorkEstimate;
  /** For the debugging pages. */
  readonly user: UserInfo;
  readonly info: RequestInfo;
  /** Is called once, when the request may run; never within the call that brings the request in. */
  readonly onExecute: () => void;
}

/** A queue of requests. */
export type FairQueue = Queue<FairRequest>;

/** One request of a priority level: waiting, then executing, then perhaps lingering on its final seats. */
export class FairRequest {
  readonly arrival: Arrival;
  readonly queue: FairQueue | undefined;
  readonly arrivedAtNs: number;
  /** The reading of the progress meter at its arrival; has a meaning while it waits. */
  arrivalR: SeatSeconds;
  startedAtNs = 0;
  readonly totalWork: SeatSeconds;
  readonly finalWork: SeatSeconds;
  /** As it arrived, or with fewer final seats for a longer time where the level has too few. */
  estimate: WorkEstimate;
  state: 'waiting' | 'executing' | 'suspended' | 'ended' = 'waiting';

  constructor(arrival: Arrival, queue: FairQueue | undefined, arrivedAtNs: number, arrivalR: SeatSeconds) {
    const { estimate } = arrival;
    this.arrival = arrival;
    this.queue = queue;
    this.arrivedAtNs = arrivedAtNs;
    this.arrivalR = arrivalR;
    this.estimate = estimate;
    this.finalWork = seatsTimesNs(estimate.finalSeats, estimate.additionalLatencyNs);
    this.totalWork = seatsTimesNs(estimate.initialSeats, estimatedServiceNs) + this.finalWork;
  }

  /** More final seats than the level has become fewer, for a longer time. */
  fitFinalSeats(limit: number): void {
    if (this.estimate.finalSeats <= limit) return;
    const additionalLatencyNs = nsPerSeat(this.finalWork, limit);
    this.estimate = { ...this.estimate, finalSeats: limit, additionalLatencyNs };
  }

  get seats(): number {
    return maxSeats(this.estimate);
  }
}
