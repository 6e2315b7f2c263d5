import { GrpcError } from '#shared/grpc/grpc-error.ts';
import { Counter } from '#shared/observability/metrics/counter.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { exponentialBuckets, Histogram } from '#shared/observability/metrics/histogram.ts';

/** Records one transformation of a value of some resource. `startedAt` is of performance.now. */
export type TransformationRecorder = (
  type: 'from_storage' | 'to_storage',
  prefix: string,
  startedAt: number,
  error: unknown,
) => void;

const buckets = exponentialBuckets(5e-6, 2, 25);

/** The families of transformations (apiserver/pkg/storage/value/metrics.go). */
export class TransformationMetrics {
  readonly #operations = new Counter(
    'apiserver_storage_transformation_operations_total',
    '[ALPHA] Transformations of stored values by resource, direction, prefix and result.',
    ['resource', 'status', 'transformation_type', 'transformer_prefix'],
  );
  readonly #durations = new Histogram(
    'apiserver_storage_transformation_duration_seconds',
    '[ALPHA] Time of transformations of stored values that succeeded.',
    ['transformation_type', 'transformer_prefix'],
    buckets,
  );
  readonly families: readonly Family[] = [this.#operations, this.#durations];

  /** @param resource as in `deployments.apps` */
  recorder(resource: string): TransformationRecorder {
    return (type, prefix, startedAt, error) => {
      this.#operations.add(resource, statusOf(error), type, prefix);
      if (error === undefined) this.#durations.observe((performance.now() - startedAt) / 1000, type, prefix);
    };
  }
}

function statusOf(error: unknown): string {
  if (error === undefined) return 'OK';
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof GrpcError) return cause.code;
  return 'unknown-non-grpc';
}
