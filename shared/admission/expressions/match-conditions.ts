import { aggregateMessages } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { ConditionCompiler, ConditionVariables, NamedTypes } from '#shared/cel/uses/admission.ts';
import {
  ConditionBudgetExceeded,
  evaluateConditions,
  type CompiledCondition,
  type Outcome,
} from '#shared/cel/uses/conditions.ts';
import { boolType } from '#shared/cel/values/cel-type.ts';
import type { Value } from '#shared/cel/values/value.ts';
import { countEvaluation, type ConditionOwner } from './condition-metrics.ts';
import type { RequestValues } from './request-values.ts';

/** The cost limit of all match conditions of a hook together (apiserver/pkg/apis/cel). */
const costOfMatchConditions = 2_500_000;

export type FailurePolicy = 'Fail' | 'Ignore';

/** Whether a hook wants a request. An error refuses the request. */
export type MatchOutcome =
  | { readonly matches: true }
  /** `condition` is the name of the condition that was false; undefined where an error was ignored. */
  | { readonly matches: false; readonly condition?: string }
  | { readonly error: string };

/** Whose match conditions they are, and what an error of them means. */
export interface ConditionHook extends ConditionOwner {
  readonly failurePolicy: FailurePolicy;
}

interface NamedCondition {
  readonly name: string;
  readonly compiled: CompiledCondition;
}

interface Evaluation {
  readonly outcome: MatchOutcome;
  /** Conditions before the one that decided that could not be evaluated. */
  readonly errorCount: number;
}

/** The match conditions of a webhook or policy (apiserver/pkg/admission/plugin/webhook/matchconditions). */
export class MatchConditions {
  readonly #conditions: readonly NamedCondition[];
  readonly #variables: ReadonlyMap<string, CompiledCondition> | undefined;
  readonly #hook: ConditionHook;

  /** @param variables the `variables` of a policy */
  constructor(
    conditions: readonly NamedCondition[],
    hook: ConditionHook,
    variables?: ReadonlyMap<string, CompiledCondition>,
  ) {
    this.#conditions = conditions;
    this.#hook = hook;
    this.#variables = variables;
  }

  /** Evaluates all conditions. `namespaceObject` is null in them, also for objects in a namespace. */
  *match(values: RequestValues, params: Value): Steps<MatchOutcome> {
    const { operation } = values.versioned.attributes;
    const startedMs = performance.now();
    const { outcome, errorCount } = yield* this.#evaluate(values, params);
    const isRefused = 'error' in outcome;
    const matches = !isRefused && outcome.matches;
    countEvaluation(this.#hook, operation, { startedMs, matches, isRefused, errorCount });
    return outcome;
  }

  *#evaluate(values: RequestValues, params: Value): Steps<Evaluation> {
    const { resource } = values.versioned.attributes;
    const bindings = values.bindings({ resource, params, namespaceObject: null, authorizer: true });
    const expressions = this.#conditions.map(({ compiled }) => compiled);
    let outcomes: readonly (Outcome | undefined)[];
    try {
      const evaluated = yield* evaluateConditions(
        { expressions, variables: this.#variables },
        bindings,
        costOfMatchConditions,
      );
      outcomes = evaluated.outcomes;
    } catch (error) {
      if (error instanceof ConditionBudgetExceeded) return { outcome: this.#failed(error.message), errorCount: 0 };
      throw error;
    }
    const wrong = outcomes.findIndex(
      (outcome) => outcome !== undefined && 'value' in outcome && outcome.value === false,
    );
    const condition = this.#conditions[wrong]?.name;
    if (condition !== undefined)
      return { outcome: { matches: false, condition }, errorCount: errorsOf(outcomes.slice(0, wrong)).length };
    const errors = errorsOf(outcomes);
    const outcome: MatchOutcome = errors.length === 0 ? { matches: true } : this.#failed(aggregateMessages(errors));
    return { outcome, errorCount: errors.length };
  }

  #failed(error: string): MatchOutcome {
    return this.#hook.failurePolicy === 'Fail' ? { error } : { matches: false };
  }
}

function errorsOf(outcomes: readonly (Outcome | undefined)[]): string[] {
  return outcomes.flatMap((outcome) => (outcome !== undefined && 'error' in outcome ? outcome.error : []));
}

/** The options of {@link compileMatchConditions} for policies. */
export interface PolicyConditions {
  readonly hasParams: boolean;
  readonly types: NamedTypes;
  readonly variables: ReadonlyMap<string, CompiledCondition>;
}

/**
 * Compiles the `matchConditions` of a stored webhook or policy; undefined if it has none. One that does not compile
 * fails when it is evaluated.
 */
export function* compileMatchConditions(
  conditions: readonly JsonObject[],
  hook: ConditionHook,
  compiler: ConditionCompiler,
  policy?: PolicyConditions,
): Steps<MatchConditions | undefined> {
  if (conditions.length === 0) return undefined;
  const variables: ConditionVariables = { params: policy?.hasParams === true, authorizer: true };
  const compiled: NamedCondition[] = [];
  for (const condition of conditions) {
    const text = stringAt(condition, 'expression');
    compiled.push({
      name: stringAt(condition, 'name'),
      compiled: yield* compiler.compile(text, variables, [boolType], true, policy?.types),
    });
  }
  return new MatchConditions(compiled, hook, policy?.variables);
}
