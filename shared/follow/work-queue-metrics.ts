import type { Count } from '#shared/observability/metrics/counter.ts';
import { exponentialBuckets, type Observations } from '#shared/observability/metrics/histogram.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';

/** The state of a queue at the moment. */
export interface MeasuredQueue {
  readonly depth: number;
  runningMs(): Iterable<number>;
}

/** The families of one name. */
export interface WorkQueueMetrics {
  /** Those that are open. */
  readonly queues: Set<MeasuredQueue>;
  readonly adds: Count;
  readonly retries: Count;
  readonly waited: Observations;
  readonly worked: Observations;
}

/** component-base/metrics/prometheus/workqueue */
const prefix = 'workqueue_';
const names = ['name'];
const buckets = exponentialBuckets(1e-8, 10, 10);
const known = new Map<string, WorkQueueMetrics>();

const adds = processRegistry.counter(`${prefix}adds_total`, '[BETA] Total number of adds handled by workqueue', names);
const retries = processRegistry.counter(
  `${prefix}retries_total`,
  '[BETA] Total number of retries handled by workqueue',
  names,
);
const waited = processRegistry.histogram(
  `${prefix}queue_duration_seconds`,
  '[BETA] How long in seconds an item stays in workqueue before being requested.',
  names,
  buckets,
);
const worked = processRegistry.histogram(
  `${prefix}work_duration_seconds`,
  '[BETA] How long in seconds processing an item from workqueue takes.',
  names,
  buckets,
);
gauge('depth', '[BETA] Current depth of workqueue', (queue) => queue.depth, 'sum');
gauge(
  'unfinished_work_seconds',
  "[BETA] How many seconds of work has done that is in progress and hasn't been observed by work_duration. Large values indicate stuck threads. One can deduce the number of stuck threads by observing the rate at which this increases.",
  (queue) => [...queue.runningMs()].reduce((sum, ms) => sum + ms, 0) / 1000,
  'sum',
);
gauge(
  'longest_running_processor_seconds',
  '[BETA] How many seconds has the longest running processor for workqueue been running.',
  (queue) => Math.max(0, ...queue.runningMs()) / 1000,
  'max',
);

function gauge(name: string, help: string, read: (queue: MeasuredQueue) => number, merged: 'sum' | 'max'): void {
  const together = merged === 'sum' ? (one: number, other: number): number => one + other : Math.max;
  processRegistry.gauges(
    prefix + name,
    help,
    names,
    function* () {
      for (const [queue, { queues }] of known)
        yield [[queue], [...queues].map(read).reduce((all, value) => together(all, value), 0)];
    },
    { merged },
  );
}

/** The families of a queue, which is measured until it leaves `queues`. */
export function workQueueMetrics(name: string, queue: MeasuredQueue): WorkQueueMetrics {
  let metrics = known.get(name);
  if (metrics === undefined) {
    metrics = {
      queues: new Set(),
      adds: adds.of(name),
      retries: retries.of(name),
      waited: waited.of(name),
      worked: worked.of(name),
    };
    known.set(name, metrics);
  }
  metrics.queues.add(queue);
  return metrics;
}
