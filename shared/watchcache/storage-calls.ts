import type { Count } from '#shared/observability/metrics/counter.ts';
import type { Labels } from '#shared/observability/metrics/family.ts';
import type { Observations } from '#shared/observability/metrics/histogram.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';
import type { CachedResource } from './cache-metrics.ts';

/** What a call to etcd does, as the reference names it (apiserver/pkg/storage/etcd3/store.go). */
export type CallOperation = 'get' | 'list' | 'listWithCount' | 'create' | 'update' | 'delete';

/** apiserver/pkg/storage/etcd3/metrics */
const names = ['operation', 'group', 'resource'];
const buckets = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
const durations = processRegistry.histogram(
  'etcd_request_duration_seconds',
  '[ALPHA] Etcd request latency in seconds for each operation and object type.',
  names,
  buckets,
);
const totals = processRegistry.counter(
  'etcd_requests_total',
  '[ALPHA] Etcd request counts for each operation and object type.',
  names,
);
const failures = processRegistry.counter(
  'etcd_request_errors_total',
  '[ALPHA] Etcd failed request counts for each operation and object type.',
  names,
);

/** Calls of one operation on one resource. Shown from the first one on. */
export class StorageCalls {
  readonly #labels: Labels;
  #seconds: Observations | undefined;
  #total: Count | undefined;

  constructor(operation: CallOperation, { group, resource }: CachedResource) {
    this.#labels = [operation, group, resource];
  }

  /** @param startedMs by `performance.now()` */
  ended(startedMs: number, hasFailed: boolean): void {
    const seconds = (performance.now() - startedMs) / 1000;
    (this.#seconds ??= durations.at(this.#labels)).observe(seconds);
    (this.#total ??= totals.at(this.#labels)).value++;
    if (hasFailed) failures.at(this.#labels).value++;
  }
}
