import type { Family } from '#shared/observability/metrics/family.ts';
import { MetricsRegistry } from '#shared/observability/metrics/registry.ts';

export const familyPrefix = 'apiserver_flowcontrol_';
const byFlow = ['priority_level', 'flow_schema'] as const;
const secondsBuckets = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

/** The present numbers of the requests of one FlowSchema in one level. */
export interface FlowNumbers {
  readonly waiting: number;
  readonly seatsWaiting: number;
  readonly executing: number;
  readonly seats: number;
}

/** The numbers of all flows, with their labels. */
export type AllFlows = () => Iterable<readonly [labels: readonly [level: string, flowSchema: string], FlowNumbers]>;

/** Families by level and FlowSchema (apiserver/pkg/util/flowcontrol/metrics/metrics.go). */
export class FlowFamilies {
  readonly #registry = new MetricsRegistry();
  readonly rejected = this.#counter(
    'rejected_requests_total',
    '[BETA] Number of requests rejected by API Priority and Fairness subsystem',
    'reason',
  );
  readonly dispatched = this.#counter(
    'dispatched_requests_total',
    '[BETA] Number of requests executed by API Priority and Fairness subsystem',
  );
  readonly withoutRoom = this.#counter(
    'request_dispatch_no_accommodation_total',
    '[ALPHA] How often the next request had to wait for seats',
  );
  readonly waited = this.#histogram(
    'request_wait_duration_seconds',
    '[BETA] Length of time a request spent waiting in its queue',
    secondsBuckets,
    'execute',
  );
  readonly execution = this.#histogram(
    'request_execution_seconds',
    '[ALPHA] How long requests held their seats; watches until they had begun',
    secondsBuckets,
    'type',
  );
  readonly queueLength = this.#histogram(
    'request_queue_length_after_enqueue',
    '[ALPHA] Requests in the queue of a request that has just joined it, itself included',
    [0, 10, 25, 50, 100, 250, 500, 1000],
  );
  readonly estimatedSeats = this.#histogram(
    'work_estimated_seats',
    '[ALPHA] Seats that requests were estimated to take, during or after their execution',
    [1, 2, 4, 8, 16, 32, 64, 100],
  );
  readonly watchCount = this.#histogram(
    'watch_count_samples',
    '[ALPHA] Watches that a write may reach',
    [0, 1, 10, 100, 1000, 10000],
  );

  constructor(flows: AllFlows) {
    const gauge = (name: string, help: string, value: (flow: FlowNumbers) => number): void =>
      this.#registry.gauges(
        familyPrefix + name,
        help,
        byFlow,
        function* () {
          for (const [labels, flow] of flows()) yield [labels, value(flow)];
        },
        // The request that resets them executes.
        { reset: name.includes('inqueue') ? 'changes' : 'never' },
      );
    const executingSeats =
      'Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any stage otherwise) requests in the API Priority and Fairness subsystem';
    gauge(
      'current_inqueue_requests',
      '[BETA] Number of requests currently pending in queues of the API Priority and Fairness subsystem',
      ({ waiting }) => waiting,
    );
    gauge('current_inqueue_seats', '[ALPHA] Seats that requests in queues wait for', (flow) => flow.seatsWaiting);
    gauge(
      'current_executing_requests',
      '[BETA] Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the API Priority and Fairness subsystem',
      ({ executing }) => executing,
    );
    gauge('current_executing_seats', `[BETA] ${executingSeats}`, ({ seats }) => seats);
    gauge('request_concurrency_in_use', `[ALPHA] (Deprecated since 1.31.0) ${executingSeats}`, ({ seats }) => seats);
  }

  families(): readonly Family[] {
    return this.#registry.families();
  }

  #counter(name: string, help: string, ...more: string[]): ReturnType<MetricsRegistry['counter']> {
    return this.#registry.counter(familyPrefix + name, help, [...byFlow, ...more]);
  }

  #histogram(
    name: string,
    help: string,
    buckets: readonly number[],
    ...more: string[]
  ): ReturnType<MetricsRegistry['histogram']> {
    return this.#registry.histogram(familyPrefix + name, help, [...byFlow, ...more], buckets);
  }
}
