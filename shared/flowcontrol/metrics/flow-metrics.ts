import type { FlowObserver } from '#shared/flowcontrol/levels/level-observer.ts';
import type { Count } from '#shared/observability/metrics/counter.ts';
import type { Observations } from '#shared/observability/metrics/histogram.ts';
import type { FlowFamilies, FlowNumbers } from './flow-families.ts';

/** Takes what is counted of the requests of one FlowSchema in one level. */
export class FlowMetrics implements FlowObserver, FlowNumbers {
  readonly flowSchema: string;
  waiting = 0;
  seatsWaiting = 0;
  executing = 0;
  seats = 0;
  readonly dispatched: Count;
  readonly #families: FlowFamilies;
  readonly #labels: readonly [level: string, flowSchema: string];
  readonly #estimated: Observations;
  readonly #regular: Observations;
  #waited: Observations | undefined;
  #queueLength: Observations | undefined;
  #watchCount: Observations | undefined;

  constructor(families: FlowFamilies, level: string, flowSchema: string) {
    this.flowSchema = flowSchema;
    this.#families = families;
    this.#labels = [level, flowSchema];
    this.dispatched = families.dispatched.at(this.#labels);
    this.#estimated = families.estimatedSeats.at(this.#labels);
    this.#regular = families.execution.of(level, flowSchema, 'regular');
  }

  /** No request of the flow is here. */
  get isIdle(): boolean {
    return this.waiting === 0 && this.executing === 0 && this.seats === 0;
  }

  estimated(seats: number): void {
    this.#estimated.observe(seats);
  }

  /** How many watches a write may reach. */
  watched(count: number): void {
    (this.#watchCount ??= this.#families.watchCount.at(this.#labels)).observe(count);
  }

  queued(length: number): void {
    (this.#queueLength ??= this.#families.queueLength.at(this.#labels)).observe(length);
  }

  /** How long a request waited, and whether it was executed then. */
  waited(isExecuted: boolean, seconds: number): void {
    if (isExecuted) (this.#waited ??= this.#families.waited.of(...this.#labels, 'true')).observe(seconds);
    else this.#families.waited.observe(seconds, ...this.#labels, 'false');
  }

  executed(isWatch: boolean, seconds: number): void {
    const seen = isWatch ? this.#families.execution.of(...this.#labels, 'watch') : this.#regular;
    seen.observe(seconds);
  }

  rejected(reason: string): void {
    this.#families.rejected.add(...this.#labels, reason);
  }

  dispatchedWithoutRoom(): void {
    this.#families.withoutRoom.add(...this.#labels);
  }
}
