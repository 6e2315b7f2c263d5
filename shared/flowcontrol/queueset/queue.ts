import type { SeatSeconds } from '#shared/flowcontrol/work/seat-seconds.ts';
import type { WorkEstimate } from '#shared/flowcontrol/work/work-estimate.ts';

/** What a queue knows of a request. */
interface Queued {
  readonly estimate: WorkEstimate;
  readonly seats: number;
  readonly totalWork: SeatSeconds;
  readonly arrivalR: SeatSeconds;
}

/** The requests of some flows, in order of arrival. */
export class Queue<Request extends Queued> {
  /** Its place among the queues of the set. */
  index: number;
  /** The reading of the progress meter at which its next request begins in the virtual world. */
  nextDispatchR: SeatSeconds = 0;
  /** Seats of its requests that run, or whose watch events are being sent. */
  seatsInUse = 0;
  readonly waiting = new Set<Request>();
  readonly executing = new Set<Request>();
  initialSeatsWaiting = 0;
  maxSeatsWaiting = 0;
  workWaiting: SeatSeconds = 0;

  constructor(index: number) {
    this.index = index;
  }

  /** Whether it takes part in the division of seats. */
  get isActive(): boolean {
    return this.waiting.size > 0 || this.executing.size > 0;
  }

  get oldest(): Request | undefined {
    for (const request of this.waiting) return request;
    return undefined;
  }

  add(request: Request): void {
    this.waiting.add(request);
    this.#sum(request, 1);
  }

  remove(request: Request): void {
    if (this.waiting.delete(request)) this.#sum(request, -1);
  }

  /**
   * A queue that cannot use all its seats, and never becomes empty, would begin ever earlier in the virtual world than
   * other queues: no request begins there before it arrived.
   */
  bound(): void {
    const { oldest } = this;
    if (oldest !== undefined && this.nextDispatchR < oldest.arrivalR) this.nextDispatchR = oldest.arrivalR;
  }

  #sum({ estimate, seats, totalWork }: Request, sign: 1 | -1): void {
    this.initialSeatsWaiting += sign * estimate.initialSeats;
    this.maxSeatsWaiting += sign * seats;
    this.workWaiting += sign * totalWork;
  }
}
