import type { QueueSetClock } from '#shared/flowcontrol/queueset/queue-set-options.ts';

/** How much of the smoothed demand is kept at each period: its half-life is five minutes. */
const smoothingCoefficient = 0.977;

/**
 * How many seats a priority level wanted, in use or waited for: integrated over time within a period, and smoothed over
 * the periods (apiserver/pkg/util/flowcontrol: fairqueuing/integrator.go, seatDemandStats of apf_controller.go).
 */
export class SeatDemand {
  readonly #clock: QueueSetClock;
  #sinceNs: number;
  #seats = 0;
  #seconds = 0;
  #integral = 0;
  #integralOfSquares = 0;
  #most = 0;
  /** Of the last period. */
  average = 0;
  standardDeviation = 0;
  highWatermark = 0;
  smoothed = 0;

  constructor(clock: QueueSetClock) {
    this.#clock = clock;
    this.#sinceNs = clock.nowNs();
  }

  /** At the moment that the clock was read last. */
  set(seats: number): void {
    this.#integrate(this.#clock.latestNs);
    this.#seats = seats;
    this.#most = Math.max(this.#most, seats);
  }

  /** Ends the period and begins the next. */
  endPeriod(): void {
    this.#integrate(this.#clock.nowNs());
    this.highWatermark = Math.round(this.#most);
    this.#most = this.#seats;
    if (this.#seconds <= 0) return;
    this.average = this.#integral / this.#seconds;
    const variance = this.#integralOfSquares / this.#seconds - this.average * this.average;
    this.standardDeviation = variance >= 0 ? Math.sqrt(variance) : 0;
    const envelope = this.average + this.standardDeviation;
    this.smoothed = Math.max(envelope, smoothingCoefficient * this.smoothed + (1 - smoothingCoefficient) * envelope);
    [this.#seconds, this.#integral, this.#integralOfSquares] = [0, 0, 0];
  }

  #integrate(nowNs: number): void {
    const seconds = (nowNs - this.#sinceNs) / 1e9;
    this.#sinceNs = nowNs;
    this.#seconds += seconds;
    this.#integral += seconds * this.#seats;
    this.#integralOfSquares += seconds * this.#seats * this.#seats;
  }
}
