import type { Family } from '#shared/observability/metrics/family.ts';
import { familyPrefix } from './flow-families.ts';
import { RatioHistogram, type RatioClock, type RatioGauge } from './ratio-histogram.ts';

const utilizationBuckets = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];
const requestBuckets = [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1];
const demandBuckets = [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6];

export interface RatiosOfLevel {
  /** Of the places in queues. */
  readonly waiting: RatioGauge;
  /** The others are shares of the seats that the level has at present. */
  readonly executing: RatioGauge;
  readonly seats: RatioGauge;
  readonly demand: RatioGauge;
}

/** How much of their limits the levels use, over time. */
export class LevelRatios {
  readonly #requests: RatioHistogram;
  readonly #seats: RatioHistogram;
  readonly #demand: RatioHistogram;
  readonly #ofLevels = new Map<string, RatiosOfLevel>();

  constructor(clock: RatioClock) {
    const byPhase = ['phase', 'priority_level'];
    const family = (name: string, what: string, labelNames: string[], buckets: readonly number[]): RatioHistogram =>
      new RatioHistogram(
        { name: familyPrefix + name, help: `[ALPHA] For how many nanoseconds ${what}`, labelNames },
        buckets,
        clock,
      );
    this.#requests = family(
      'priority_level_request_utilization',
      'so many requests, as a share of the limit, waited or were executed',
      byPhase,
      requestBuckets,
    );
    this.#seats = family(
      'priority_level_seat_utilization',
      'such a share of the seats was in use',
      byPhase,
      utilizationBuckets,
    );
    this.#demand = family(
      'demand_seats',
      'so many seats, as a share of those of the level, were wanted',
      ['priority_level'],
      demandBuckets,
    );
  }

  /** New gauges; those that the level had before go. */
  of(level: string): RatiosOfLevel {
    this.forget(level);
    const ratios: RatiosOfLevel = {
      waiting: this.#requests.gauge('waiting', level),
      executing: this.#requests.gauge('executing', level),
      seats: this.#seats.gauge('executing', level),
      demand: this.#demand.gauge(level),
    };
    this.#ofLevels.set(level, ratios);
    return ratios;
  }

  forget(level: string): void {
    const ratios = this.#ofLevels.get(level);
    if (ratios === undefined) return;
    this.#ofLevels.delete(level);
    this.#requests.forget(ratios.waiting);
    this.#requests.forget(ratios.executing);
    this.#seats.forget(ratios.seats);
    this.#demand.forget(ratios.demand);
  }

  families(): readonly Family[] {
    return [this.#requests, this.#seats, this.#demand];
  }
}
