import { errorTypeOf } from '#shared/admission/policies/evaluation/error-type.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';

const labelNames = ['policy', 'policy_binding', 'error_type', 'enforcement_action'];
const checks = processRegistry.counter(
  'apiserver_validating_admission_policy_check_total',
  '[BETA] Validation admission policy check total, labeled by policy and further identified by binding and enforcement action taken.',
  labelNames,
);
const seconds = processRegistry.histogram(
  'apiserver_validating_admission_policy_check_duration_seconds',
  '[BETA] Validation admission latency for individual validation expressions in seconds, labeled by policy and further including binding and enforcement action taken.',
  labelNames,
  [0.0000005, 0.001, 0.01, 0.1, 1],
);

/** `allow` is of an expression that failed, and whose failure policy ignores that: successes are not counted. */
export type EnforcementAction = 'allow' | 'deny' | 'audit' | 'warn';

/** What is counted of an expression: how long it took, and its message. */
interface CheckedExpression {
  readonly ms: number;
  readonly message: string;
}

/** Counts what became of one expression (apiserver/pkg/admission/plugin/policy/validating/metrics). */
export function countCheck(
  policy: string,
  binding: string,
  action: EnforcementAction,
  { ms, message }: CheckedExpression,
): void {
  const labels = [policy, binding, errorTypeOf(message), action];
  checks.at(labels).value++;
  seconds.at(labels).observe(ms / 1000);
}
