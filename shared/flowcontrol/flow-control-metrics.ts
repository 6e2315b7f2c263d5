import type { Family } from '#shared/observability/metrics/family.ts';
import { MetricsRegistry } from '#shared/observability/metrics/registry.ts';
import type { PriorityLevel } from './levels/priority-level.ts';
import type { PriorityLevels } from './levels/priority-levels.ts';
import type { QueueSetObserver } from './queueset/queue-set-options.ts';

const prefix = 'apiserver_flowcontrol_';
const byFlow = ['flow_schema', 'priority_level'] as const;
const waitBuckets = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

/** The present numbers of one FlowSchema in one level. */
interface FlowNumbers {
  waiting: number;
  seatsWaiting: number;
  executing: number;
  seats: number;
}

/** Families of the reference (apiserver/pkg/util/flowcontrol/metrics) about requests, seats and limits. */
export class FlowControlMetrics {
  readonly #registry = new MetricsRegistry();
  readonly #numbers = new Map<string, Map<string, FlowNumbers>>();
  readonly #rejected = this.#registry.counter(
    `${prefix}rejected_requests_total`,
    '[BETA] Requests that priority and fairness refused',
    [...byFlow, 'reason'],
  );
  readonly #dispatched = this.#registry.counter(
    `${prefix}dispatched_requests_total`,
    '[BETA] Requests that priority and fairness let through',
    byFlow,
  );
  readonly #withoutRoom = this.#registry.counter(
    `${prefix}request_dispatch_no_accommodation_total`,
    '[ALPHA] How often the next request had to wait for seats',
    byFlow,
  );
  readonly #waited = this.#registry.histogram(
    `${prefix}request_wait_duration_seconds`,
    '[BETA] How long requests waited in their queue',
    ['execute', ...byFlow],
    waitBuckets,
  );

  constructor() {
    const gauge = (name: string, help: string, value: (numbers: FlowNumbers) => number): void =>
      this.#registry.gauges(prefix + name, help, byFlow, () => this.#ofFlows(value));
    gauge('current_inqueue_requests', '[BETA] Requests that wait in queues', ({ waiting }) => waiting);
    gauge('current_inqueue_seats', '[ALPHA] Seats that requests in queues wait for', (flow) => flow.seatsWaiting);
    gauge('current_executing_requests', '[BETA] Requests that are being executed', ({ executing }) => executing);
    gauge('current_executing_seats', '[BETA] Seats of requests that are being executed', ({ seats }) => seats);
  }

  families(levels: PriorityLevels): readonly Family[] {
    const gauge = (name: string, help: string, value: (level: PriorityLevel) => number): void =>
      this.#registry.gauges(prefix + name, help, ['priority_level'], () =>
        [...levels.all].map((level) => [[level.configuration.name], value(level)] as const),
      );
    gauge('nominal_limit_seats', '[BETA] Seats of each priority level by its shares', (level) => level.nominalLimit);
    gauge('lower_limit_seats', '[ALPHA] Seats that each priority level does not lend', (level) => level.minLimit);
    gauge(
      'upper_limit_seats',
      '[ALPHA] Seats of each priority level with all it may borrow',
      (level) => level.maxLimit,
    );
    gauge('current_limit_seats', '[ALPHA] Seats of each priority level at present', (level) => level.currentLimit);
    gauge(
      'demand_seats_high_watermark',
      '[ALPHA] The most seats that each level wanted at once in the last period',
      ({ demand }) => demand.highWatermark,
    );
    gauge(
      'demand_seats_average',
      '[ALPHA] Seats that each level wanted on average in the last period',
      ({ demand }) => demand.average,
    );
    gauge(
      'demand_seats_stdev',
      '[ALPHA] Standard deviation of the seats that each level wanted in the last period',
      ({ demand }) => demand.standardDeviation,
    );
    gauge(
      'demand_seats_smoothed',
      '[ALPHA] Seats that each level wanted, smoothed over periods',
      ({ demand }) => demand.smoothed,
    );
    this.#registry.gauge(
      `${prefix}seat_fair_frac`,
      '[ALPHA] Share of its demand that a level gets which is at no bound',
      () => levels.fairShare,
    );
    return this.#registry.families();
  }

  /** How long a request waited, and whether it was executed then. */
  waited(level: string, flowSchema: string, isExecuted: boolean, seconds: number): void {
    this.#waited.observe(seconds, String(isExecuted), flowSchema, level);
  }

  observerOf(level: string): QueueSetObserver {
    const flows = new Map<string, FlowNumbers>();
    this.#numbers.set(level, flows);
    const numbersOf = (flowSchema: string): FlowNumbers => {
      let numbers = flows.get(flowSchema);
      if (numbers === undefined)
        flows.set(flowSchema, (numbers = { waiting: 0, seatsWaiting: 0, executing: 0, seats: 0 }));
      return numbers;
    };
    return {
      waiting(flowSchema, requests, seats) {
        const numbers = numbersOf(flowSchema);
        numbers.waiting += requests;
        numbers.seatsWaiting += seats;
      },
      executing: (flowSchema, requests) => void (numbersOf(flowSchema).executing += requests),
      seatsInUse: (flowSchema, seats) => void (numbersOf(flowSchema).seats += seats),
      dispatched: (flowSchema) => this.#dispatched.add(flowSchema, level),
      rejected: (flowSchema, reason) => this.#rejected.add(flowSchema, level, reason),
      dispatchWithoutRoom: (flowSchema) => this.#withoutRoom.add(flowSchema, level),
      seatDemand() {},
    };
  }

  *#ofFlows(value: (numbers: FlowNumbers) => number): Iterable<readonly [readonly string[], number]> {
    for (const [level, flows] of this.#numbers)
      for (const [flowSchema, numbers] of flows) yield [[flowSchema, level], value(numbers)];
  }
}
