import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { Bindings } from '#shared/cel/eval/frame.ts';
import type { Evaluated, Program } from '#shared/cel/eval/program.ts';
import { CelError, CelMap, type Value } from '#shared/cel/values/value.ts';
import { ExpressionError, type CompiledExpression } from './compile-expression.ts';
import { evaluateWithPending, PendingValue } from './pending-value.ts';

/** The cost limit of one evaluation. */
export const costOfCall = 1_000_000;

/** The map `variables`: each of its values is evaluated on its own and only once, when it is first read. */
export class LazyVariables extends CelMap {
  readonly #expressions: ReadonlyMap<string, CompiledExpression | ExpressionError>;
  readonly #bindings: Bindings;
  readonly #values = new Map<string, Value>();
  #cost = 0;

  /** @param bindings the other variables */
  constructor(expressions: ReadonlyMap<string, CompiledExpression | ExpressionError>, bindings: Bindings) {
    super();
    this.#expressions = expressions;
    this.#bindings = { get: (name) => (name === 'variables' ? this : bindings.get(name)) };
  }

  /** The other variables and this map. */
  get bindings(): Bindings {
    return this.#bindings;
  }

  get size(): number {
    return this.#expressions.size;
  }

  keys(): Iterable<Value> {
    return this.#expressions.keys();
  }

  /** @throws PendingValue if the variable takes long to evaluate */
  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const expression = this.#expressions.get(key);
    if (expression === undefined) return undefined;
    if (expression instanceof ExpressionError)
      return this.#keep(
        key,
        new CelError(`composited variable ${goQuote(key)} fails to compile: ${expression.detail}`),
      );
    const evaluated = expression.program.attempt(this.#bindings, costOfCall);
    if (evaluated === undefined) throw new PendingValue(this.#evaluate(key, expression.program));
    return this.#take(key, evaluated);
  }

  /** The cost of the variables that were evaluated since the last call. */
  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  *#evaluate(name: string, program: Program): Steps<void> {
    this.#take(name, yield* evaluateWithPending(program, this.#bindings, costOfCall));
  }

  #take(name: string, { value, cost }: Evaluated): Value {
    this.#cost += cost;
    const isError = value instanceof CelError;
    return this.#keep(
      name,
      isError ? new CelError(`composited variable ${goQuote(name)} fails to evaluate: ${value.message}`) : value,
    );
  }

  #keep(name: string, value: Value): Value {
    this.#values.set(name, value);
    return value;
  }
}
