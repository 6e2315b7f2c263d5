import type { QueueSetClock, QueueSetObserver } from '#shared/flowcontrol/queueset/queue-set-options.ts';
import { QueueSet } from '#shared/flowcontrol/queueset/queue-set.ts';
import type { PriorityLevelConfiguration } from './priority-level-configuration.ts';
import { SeatDemand } from './seat-demand.ts';

/** Of the nominal limit, what one request may occupy at most. */
const maxSeatsShare = 0.15;

/** One priority level at work: its queues, its limits, and how many seats it wanted lately. */
export class PriorityLevel {
  configuration: PriorityLevelConfiguration;
  readonly queues: QueueSet;
  readonly demand: SeatDemand;
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
  /** Seats that one request is estimated to occupy at most; 0 where the level has no queues. */
  maxSeatsPerRequest = 0;

  constructor(configuration: PriorityLevelConfiguration, clock: QueueSetClock, observer: QueueSetObserver) {
    this.configuration = configuration;
    const demand = new SeatDemand(() => clock.nowNs());
    this.demand = demand;
    this.queues = new QueueSet(configuration.name, clock, withDemand(observer, demand), configuration.queueing);
  }

  /** Sets the limits by its part of all shares, rounded up: their sum may exceed that of the server by a little. */
  setLimits(serverLimit: number, shareSum: number): void {
    const { shares, lendablePercent, borrowingLimitPercent, queueing } = this.configuration;
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
    this.queues.configure(this.configuration.queueing, seats);
  }
}

function withDemand(observer: QueueSetObserver, demand: SeatDemand): QueueSetObserver {
  return {
    ...observer,
    seatDemand(seats) {
      demand.set(seats);
      observer.seatDemand(seats);
    },
  };
}
