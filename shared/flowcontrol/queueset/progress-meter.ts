import { seatsTimesNs, type SeatSeconds } from '#shared/flowcontrol/work/seat-seconds.ts';
import type { FairQueue } from './fair-request.ts';

/** From this reading on, the meter and all readings taken from it are wound back: doubles stay exact. */
const highReading: SeatSeconds = 2 ** 52;
const decrement: SeatSeconds = 2 ** 51;

/** Readings for metrics, as they were at a dispatch. */
export interface DispatchReadings {
  readonly reading: SeatSeconds;
  /** Where the dispatched request began in the virtual world. */
  readonly start: SeatSeconds;
  /** The least and the largest, over the queues, at which their oldest requests began. */
  readonly starts: ReadingBounds;
  /** The same without the work that is in progress. */
  readonly discounted: ReadingBounds;
}

export interface ReadingBounds {
  min: SeatSeconds;
  max: SeatSeconds;
}

/** The seat-seconds that each queue with requests has got since the start: how far the virtual world has come. */
export class ProgressMeter {
  #reading: SeatSeconds = 0;
  #syncedAtNs: number;
  /** Queues that have requests. */
  activeQueues = 0;
  /** Seats in use and waited for, of requests in queues. */
  seatsWanted = 0;
  /** How often the reading was wound back. */
  windings = 0;
  /** Undefined before the first dispatch from a queue. */
  atDispatch: DispatchReadings | undefined;

  constructor(nowNs: number) {
    this.#syncedAtNs = nowNs;
  }

  get reading(): SeatSeconds {
    return this.#reading;
  }

  /** Moves on, as if nothing had changed since the last call; before each change of queues. */
  sync(nowNs: number, concurrencyLimit: number, queues: readonly FairQueue[]): void {
    const elapsedNs = nowNs - this.#syncedAtNs;
    this.#syncedAtNs = nowNs;
    if (this.activeQueues === 0) return;
    const seatsPerQueue = Math.min(this.seatsWanted, concurrencyLimit) / this.activeQueues;
    this.#reading += seatsTimesNs(seatsPerQueue, elapsedNs);
    if (this.#reading >= highReading) this.#windBack(queues);
  }

  #windBack(queues: readonly FairQueue[]): void {
    this.windings++;
    this.#reading -= decrement;
    for (const queue of queues) {
      queue.nextDispatchR = queue.isActive ? queue.nextDispatchR - decrement : 0;
      for (const request of queue.waiting) request.arrivalR -= decrement;
    }
  }
}
