import type { QueueSetClock } from '#shared/flowcontrol/queueset/queue-set-options.ts';
import { QueueSet } from '#shared/flowcontrol/queueset/queue-set.ts';
import type { LevelObserver } from './level-observer.ts';
import type { PriorityLevelConfiguration } from './priority-level-configuration.ts';
import { SeatDemand } from './seat-demand.ts';

/** Of the nominal limit, what one request may occupy at most. */
const maxSeatsShare = 0.15;

/** One priority level at work: its queues, its limits, and how many seats it wanted lately. */
export class PriorityLevel {
  configuration: PriorityLevelConfiguration;
  readonly queues: QueueSet;
  readonly demand: SeatDemand;
  readonly observer: LevelObserver;
  /** Its object is gone: it goes as well, when its queues are empty. */
  isQuiescing = false;
  /** Seats by its shares. */
  nominalLimit = 0;
  /** Seats that it does not lend. */
  minLimit = 0;
  /** Seats with all that it may borrow. */
  maxLimit = 0;
  /** Seats at present. */
  currentLimit = 0;
  /** Seats that it should get of those that are lent; undefined without limits. */
  target: number | undefined;
  /** Seats that one request is estimated to occupy at most; 0 where the level has no queues. */
  maxSeatsPerRequest = 0;

  #serverLimit = 0;

  constructor(configuration: PriorityLevelConfiguration, clock: QueueSetClock, observer: LevelObserver) {
    this.configuration = configuration;
    this.observer = observer;
    this.demand = new SeatDemand(clock);
    this.queues = new QueueSet(configuration.name, { clock, observer, demand: this.demand }, configuration.queueing);
  }

  /** Sets the limits by its part of all shares, rounded up: their sum may exceed that of the server by a little. */
  setLimits(serverLimit: number, shareSum: number): void {
    const { shares, lendablePercent, borrowingLimitPercent, queueing } = this.configuration;
    this.#serverLimit = serverLimit;
    const nominal = Math.ceil((serverLimit * shares) / shareSum);
    this.nominalLimit = nominal;
    this.minLimit = nominal - Math.round((nominal * lendablePercent) / 100);
    this.maxLimit =
      nominal +
      (borrowingLimitPercent === undefined ? serverLimit : Math.round((nominal * borrowingLimitPercent) / 100));
    if (queueing.queues < 1) return;
    const byHand = Math.floor(nominal / queueing.handSize);
    this.maxSeatsPerRequest = Math.max(1, Math.min(Math.ceil(nominal * maxSeatsShare), byHand));
  }

  setCurrentLimit(seats: number): void {
    this.currentLimit = seats;
    this.observer.limited(this.configuration.queueing, seats > 0 ? seats : Math.round(this.#serverLimit / 10));
    this.queues.configure(this.configuration.queueing, seats);
  }
}
