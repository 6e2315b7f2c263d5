import type { AdmissionOperation } from '#shared/admission/contract/admission.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';

const labelNames = ['name', 'kind', 'type', 'operation'];
const seconds = processRegistry.histogram(
  'apiserver_admission_match_condition_evaluation_seconds',
  '[ALPHA] Admission match condition evaluation time in seconds, identified by name and broken out for each kind containing matchConditions (webhook or policy), operation and type (validate or admit).',
  labelNames,
  [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
);
const errors = processRegistry.counter(
  'apiserver_admission_match_condition_evaluation_errors_total',
  '[ALPHA] Admission match condition evaluation errors count, identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).',
  labelNames,
);
const exclusions = processRegistry.counter(
  'apiserver_admission_match_condition_exclusions_total',
  '[ALPHA] Admission match condition evaluation exclusions count, identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).',
  labelNames,
);

/** Whose match conditions they are. Policies of both kinds have the type `validate`, as in the reference. */
export interface ConditionOwner {
  readonly name: string;
  readonly kind: 'webhook' | 'policy';
  readonly type: 'admit' | 'validating' | 'validate';
}

/** How an evaluation ended. */
export interface CountedEvaluation {
  readonly startedMs: number;
  readonly matches: boolean;
  /** Whether an error refuses the request. */
  readonly isRefused: boolean;
  readonly errorCount: number;
}

/**
 * Counts an evaluation at its end (apiserver/pkg/admission/plugin/webhook/matchconditions/matcher.go). As there, one
 * that matches is not counted, exclusions are those of webhooks alone, and their type is otherwise than that of errors.
 */
export function countEvaluation(
  { name, kind, type }: ConditionOwner,
  operation: AdmissionOperation,
  { startedMs, matches, isRefused, errorCount }: CountedEvaluation,
): void {
  if (errorCount > 0) errors.addMany(errorCount, name, kind, type, operation);
  if (matches) return;
  seconds.observe((performance.now() - startedMs) / 1000, name, kind, type, operation);
  if (isRefused || kind !== 'webhook') return;
  exclusions.add(name, kind, type === 'validating' ? 'validate' : type, operation);
}
