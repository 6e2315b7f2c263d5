import { errorTypeOf } from '#shared/admission/policies/evaluation/error-type.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';

const labelNames = ['policy', 'policy_binding', 'error_type'];
const checks = processRegistry.counter(
  'apiserver_mutating_admission_policy_check_total',
  '[ALPHA] Mutation admission policy check total, labeled by policy and further identified by binding.',
  labelNames,
);
const seconds = processRegistry.histogram(
  'apiserver_mutating_admission_policy_check_duration_seconds',
  '[ALPHA] Mutation admission latency for individual mutation expressions in seconds, labeled by policy and binding.',
  labelNames,
  [0.0000005, 0.001, 0.01, 0.1, 1],
);

/**
 * Counts one mutation at its end (apiserver/pkg/admission/plugin/policy/mutating/metrics).
 * @param error what it threw
 */
export function countMutation(policy: string, binding: string, startedMs: number, error?: Error): void {
  const labels = [policy, binding, error === undefined ? 'no_error' : errorTypeOf(error.message)];
  checks.at(labels).value++;
  seconds.at(labels).observe((performance.now() - startedMs) / 1000);
}
