import type { HookVariables, RequestValues } from '#shared/admission/expressions/request-values.ts';
import { costOfPolicy } from '#shared/admission/policies/evaluation/policy-expressions.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { byteLength } from '#shared/apimachinery/text/go-format.ts';
import { trimSpace } from '#shared/apimachinery/text/trim-space.ts';
import { ConditionBudgetExceeded, evaluateConditions, type Outcome } from '#shared/cel/uses/conditions.ts';
import { typeOf } from '#shared/cel/values/type-of.ts';
import type { CompiledAuditAnnotation, CompiledValidatingPolicy, CompiledValidation } from './compile-policy.ts';

/** The verdict of one validation, or of a policy that could not be evaluated. */
export interface PolicyDecision {
  readonly denies: boolean;
  /** Whether an error decides. */
  readonly isError: boolean;
  /** Empty where an error decides: Invalid. */
  readonly reason: string;
  readonly message: string;
  /** How long the expression took. */
  readonly ms: number;
}

/** What becomes of an audit annotation: it is published, left out (undefined), or refuses the request. */
export type AnnotationResult =
  | { readonly key: string; readonly value: string }
  | { readonly error: string; readonly ms: number }
  | undefined;

export interface PolicyResult {
  readonly decisions: readonly PolicyDecision[];
  readonly annotations: readonly AnnotationResult[];
}

/** Longer messages of `messageExpression` are not used. */
const maxMessageBytes = 5 * 1024;

const admits: PolicyDecision = { denies: false, isError: false, reason: '', message: '', ms: 0 };
const nothing: PolicyResult = { decisions: [], annotations: [] };

/**
 * Evaluates a policy for a request with one parameter
 * (apiserver/pkg/admission/plugin/policy/validating, validator.go).
 */
export function* evaluatePolicy(
  policy: CompiledValidatingPolicy,
  values: RequestValues,
  hook: Omit<HookVariables, 'authorizer'>,
  budget = costOfPolicy,
): Steps<PolicyResult> {
  if (policy.matchConditions !== undefined) {
    const matched = yield* policy.matchConditions.match(values, hook.params);
    if ('error' in matched) return failed(policy, matched.error);
    if (!matched.matches) return nothing;
  }
  try {
    const decisions = yield* decide(policy, values, hook, budget);
    const annotations = yield* annotate(policy, values, hook, budget);
    return { decisions, annotations };
  } catch (error) {
    if (error instanceof ConditionBudgetExceeded) return failed(policy, error.message);
    throw error;
  }
}

function* decide(
  { validations, variables, failurePolicy }: CompiledValidatingPolicy,
  values: RequestValues,
  hook: Omit<HookVariables, 'authorizer'>,
  budget: number,
): Steps<PolicyDecision[]> {
  const { outcomes, left } = yield* evaluateConditions(
    { expressions: validations.map(({ compiled }) => compiled), variables },
    values.bindings({ ...hook, authorizer: true }),
    budget,
  );
  let messages: readonly (Outcome | undefined)[] = [];
  let messageError = '';
  const makeMessages = validations.map(({ makeMessage }) => makeMessage);
  if (makeMessages.some((made) => made !== undefined)) {
    try {
      const bindings = values.bindings({ ...hook, authorizer: false });
      messages = (yield* evaluateConditions({ expressions: makeMessages, variables }, bindings, left)).outcomes;
    } catch (error) {
      if (!(error instanceof ConditionBudgetExceeded)) throw error;
      messageError = `failed messageExpression: ${error.message}`;
    }
  }
  return validations.map((validation, at): PolicyDecision => {
    const outcome = outcomes[at];
    const ms = outcome?.ms ?? 0;
    const error = outcome !== undefined && 'error' in outcome ? outcome.error : messageError;
    if (error !== '') return { denies: failurePolicy === 'Fail', isError: true, reason: '', message: error, ms };
    if (outcome !== undefined && 'value' in outcome && outcome.value === true) return admits;
    const message = messageOf(validation, messages[at]);
    const reason = validation.reason === '' ? 'Invalid' : validation.reason;
    return { denies: true, isError: false, reason, message, ms };
  });
}

/** The result of `messageExpression`, or else `message`, or else a text that names the expression. */
function messageOf({ message, expression }: CompiledValidation, made: Outcome | undefined): string {
  const value = made !== undefined && 'value' in made && typeof made.value === 'string' ? trimSpace(made.value) : '';
  const usable = byteLength(value) <= maxMessageBytes && !value.includes('\n');
  return (usable ? value : '') || trimSpace(message) || `failed expression: ${trimSpace(expression)}`;
}

function* annotate(
  { auditAnnotations, variables, failurePolicy }: CompiledValidatingPolicy,
  values: RequestValues,
  hook: Omit<HookVariables, 'authorizer'>,
  budget: number,
): Steps<AnnotationResult[]> {
  if (auditAnnotations.length === 0) return [];
  const { outcomes } = yield* evaluateConditions(
    { expressions: auditAnnotations.map(({ compiled }) => compiled), variables },
    values.bindings({ ...hook, authorizer: false }),
    budget,
  );
  return auditAnnotations.map((annotation, at): AnnotationResult => {
    const outcome = outcomes[at];
    if (outcome === undefined) return undefined;
    if ('error' in outcome) return failurePolicy === 'Fail' ? outcome : undefined;
    return annotationOf(annotation, outcome.value, outcome.ms);
  });
}

function annotationOf(
  { key, valueExpression }: CompiledAuditAnnotation,
  result: Extract<Outcome, { value: unknown }>['value'],
  ms: number,
): AnnotationResult {
  if (result === null) return undefined;
  if (typeof result !== 'string') {
    const type = String(typeOf(result));
    return {
      error: `valueExpression '${valueExpression}' resulted in unsupported return type: ${type}. Return type must be either string or null.`,
      ms,
    };
  }
  const value = trimSpace(result);
  return value === '' ? undefined : { key, value };
}

function failed({ failurePolicy }: CompiledValidatingPolicy, message: string): PolicyResult {
  const decision = { denies: failurePolicy === 'Fail', isError: true, reason: '', message, ms: 0 };
  return { decisions: [decision], annotations: [] };
}
