import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import {
  CelAuthorizer,
  ResourceCheck,
  type AccessAuthorizer,
  type ResourceAccess,
} from '#shared/cel/libraries/authorizer/access-checks.ts';
import { jsonValue } from '#shared/cel/values/json-value.ts';
import { CelError, CelMap, type Value } from '#shared/cel/values/value.ts';
import { ExpressionError, type CompiledExpression } from './compile-expression.ts';

/** The cost limit of one evaluation. */
const costOfCall = 1_000_000;

/** The values of the variables of admission expressions. */
export interface ConditionInputs {
  readonly object: JsonValue | undefined;
  readonly oldObject: JsonValue | undefined;
  readonly params: JsonValue | undefined;
  readonly request: JsonValue | undefined;
  readonly namespaceObject: JsonValue | undefined;
  /** `decide` authorizes for the user of the request; `resource` is the resource of the request. */
  readonly authorizer?: { readonly decide: AccessAuthorizer; readonly resource: Partial<ResourceAccess> };
}

/** The result of an expression: a value or an error. */
export type Outcome = { readonly value: Value } | { readonly error: string };

/** Thrown when the expressions exceed their common budget. */
export class ConditionBudgetExceeded extends Error {
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
    this.name = 'ConditionBudgetExceeded';
  }
}

type Compiled = CompiledExpression | ExpressionError;

/**
 * Evaluates expressions of admission one after another (k8s.io/apiserver/pkg/admission/plugin/cel).
 * @param variables the expressions that others read as `variables.x`; each is evaluated when it is first read
 * @param budget the cost limit of all evaluations together
 * @param callCost the cost limit of one evaluation
 * @throws ConditionBudgetExceeded
 */
export function evaluateConditions(
  expressions: readonly Compiled[],
  inputs: ConditionInputs,
  budget: number,
  variables?: ReadonlyMap<string, Compiled>,
  callCost = costOfCall,
): { readonly outcomes: readonly Outcome[]; readonly left: number } {
  const bindings = new Map<string, Value>([
    ['object', jsonValue(inputs.object)],
    ['oldObject', jsonValue(inputs.oldObject)],
    ['params', jsonValue(inputs.params)],
    ['request', jsonValue(inputs.request)],
    ['namespaceObject', jsonValue(inputs.namespaceObject)],
  ]);
  if (inputs.authorizer !== undefined) {
    const { decide, resource } = inputs.authorizer;
    bindings
      .set('authorizer', new CelAuthorizer(decide))
      .set('authorizer.requestResource', new ResourceCheck(decide, resource));
  }
  const named = variables === undefined ? undefined : new LazyVariables(variables, bindings);
  if (named !== undefined) bindings.set('variables', named);
  let left = budget;
  const outcomes = expressions.map((expression): Outcome => {
    if (expression instanceof ExpressionError) return { error: `compilation error: ${expression.detail}` };
    const { value, cost } = expression.program.evaluate(bindings, callCost);
    left -= (named?.takeCost() ?? 0) + cost;
    if (left < 0) throw new ConditionBudgetExceeded();
    return value instanceof CelError
      ? { error: `expression '${expression.text}' resulted in error: ${value.message}` }
      : { value };
  });
  return { outcomes, left };
}

/** The map `variables`: each variable is evaluated on its own and only once, when it is first read. */
class LazyVariables extends CelMap {
  readonly #expressions: ReadonlyMap<string, Compiled>;
  readonly #bindings: ReadonlyMap<string, Value>;
  readonly #values = new Map<string, Value>();
  #cost = 0;

  constructor(expressions: ReadonlyMap<string, Compiled>, bindings: ReadonlyMap<string, Value>) {
    super();
    this.#expressions = expressions;
    this.#bindings = bindings;
  }

  get size(): number {
    return this.#expressions.size;
  }

  keys(): Iterable<Value> {
    return this.#expressions.keys();
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    const expression = this.#expressions.get(key);
    if (expression === undefined) return undefined;
    let value = this.#values.get(key);
    if (value === undefined) {
      value = this.#evaluate(key, expression);
      this.#values.set(key, value);
    }
    return value;
  }

  /** The cost of the variables that were evaluated since the last call. */
  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  #evaluate(name: string, expression: Compiled): Value {
    if (expression instanceof ExpressionError)
      return new CelError(`composited variable ${goQuote(name)} fails to compile: ${expression.detail}`);
    const { value, cost } = expression.program.evaluate(this.#bindings, costOfCall);
    this.#cost += cost;
    return value instanceof CelError
      ? new CelError(`composited variable ${goQuote(name)} fails to evaluate: ${value.message}`)
      : value;
  }
}
