import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { evaluationSeconds } from '#shared/cel/cel-metrics.ts';
import type { Bindings } from '#shared/cel/eval/frame.ts';
import type { Evaluated } from '#shared/cel/eval/program.ts';
import { CelError, type Value } from '#shared/cel/values/value.ts';
import { ExpressionError, type CompiledExpression } from './compile-expression.ts';
import { costOfCall, LazyVariables } from './lazy-variables.ts';
import { evaluateWithPending } from './pending-value.ts';

/** The result of an expression, a value or an error, and how long it took. */
export type Outcome = ({ readonly value: Value } | { readonly error: string }) & { readonly ms: number };

/** Thrown when the expressions exceed their common budget. */
export class ConditionBudgetExceeded extends Error {
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
    this.name = 'ConditionBudgetExceeded';
  }
}

export type CompiledCondition = CompiledExpression | ExpressionError;

/** Expressions of a hook that are evaluated together. */
export interface ConditionSet {
  /** Undefined for an optional expression that is absent: it has no outcome. */
  readonly expressions: readonly (CompiledCondition | undefined)[];
  /** The expressions that others read as `variables.x`; each is evaluated when it is first read. */
  readonly variables?: ReadonlyMap<string, CompiledCondition> | undefined;
}

/**
 * Evaluates expressions of admission one after another (k8s.io/apiserver/pkg/admission/plugin/cel).
 * @param bindings the values of all variables but `variables`
 * @param budget the cost limit of all evaluations together
 * @param callCost the cost limit of one evaluation
 * @throws ConditionBudgetExceeded
 */
export function* evaluateConditions(
  { expressions, variables }: ConditionSet,
  bindings: Bindings,
  budget: number,
  callCost = costOfCall,
): Steps<{ readonly outcomes: readonly (Outcome | undefined)[]; readonly left: number }> {
  const named = variables === undefined ? undefined : new LazyVariables(variables, bindings);
  const read = named?.bindings ?? bindings;
  const outcomes: (Outcome | undefined)[] = [];
  let left = budget;
  for (const expression of expressions) {
    if (expression === undefined) outcomes.push(undefined);
    else if (expression instanceof ExpressionError)
      outcomes.push({ error: `compilation error: ${expression.detail}`, ms: 0 });
    else {
      const startedMs = performance.now();
      const evaluated: Evaluated = yield* evaluateWithPending(expression.program, read, callCost);
      const ms = performance.now() - startedMs;
      evaluationSeconds.observe(ms / 1000);
      left -= (named?.takeCost() ?? 0) + evaluated.cost;
      if (left < 0) throw new ConditionBudgetExceeded();
      outcomes.push(outcomeOf(expression.text, evaluated.value, ms));
    }
  }
  return { outcomes, left };
}

function outcomeOf(text: string, value: Value, ms: number): Outcome {
  if (!(value instanceof CelError)) return { value, ms };
  return { error: `expression '${text}' resulted in error: ${value.message}`, ms };
}
