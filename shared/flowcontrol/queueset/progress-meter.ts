import { seatsTimesNs, type SeatSeconds } from '#shared/flowcontrol/work/seat-seconds.ts';
import type { FairQueue } from './fair-request.ts';

/** From this reading on, the meter and all readings taken from it are wound back: doubles stay exact. */
const highReading: SeatSeconds = 2 ** 52;
const decrement: SeatSeconds = 2 ** 51;

/** The seat-seconds that each queue with requests has got since the start: how far the virtual world has come. */
export class ProgressMeter {
  #reading: SeatSeconds = 0;
  #syncedAtNs: number;
  /** Queues that have requests. */
  activeQueues = 0;
  /** Seats in use and waited for, of requests in queues. */
  seatsWanted = 0;

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
    this.#reading -= decrement;
    for (const queue of queues) {
      queue.nextDispatchR = queue.isActive ? queue.nextDispatchR - decrement : 0;
      for (const request of queue.waiting) request.arrivalR -= decrement;
    }
  }
}
