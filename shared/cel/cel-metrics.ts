import type { Observations } from '#shared/observability/metrics/histogram.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';

/** Prometheus' default. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** apiserver/pkg/cel/metrics, which the reference registers and never observes. */
export const compilationSeconds: Observations = processRegistry
  .histogram('apiserver_cel_compilation_duration_seconds', '[BETA] CEL compilation time in seconds.', [], buckets)
  .of();
export const evaluationSeconds: Observations = processRegistry
  .histogram('apiserver_cel_evaluation_duration_seconds', '[BETA] CEL evaluation time in seconds.', [], buckets)
  .of();
