import type { Environment, FunctionEntry } from '#shared/cel/check/environment.ts';
import { qualifiedName } from '#shared/cel/check/names-and-types.ts';
import type { Checked } from '#shared/cel/contract/checked.ts';
import type { Parsed } from '#shared/cel/parse/parse.ts';
import type { Call, Comprehension, Expression, Select } from '#shared/cel/syntax/expression.ts';
import { dynType } from '#shared/cel/values/cel-type.ts';
import { ProgramError } from '#shared/cel/values/errors.ts';
import type { Value } from '#shared/cel/values/value.ts';

/**
 * An expression as cel-go runs it that is only parsed: nothing is known of types, and each name stands for the first of
 * its candidates that is bound; types and constants are added to the bindings. Kubernetes checks all expressions;
 * conformance tests have some that are not.
 */
export function unchecked(parsed: Parsed, environment: Environment, bindings: Map<string, Value>): Checked {
  const expression = new Names(environment, bindings).resolve(parsed.expression);
  return {
    expression,
    types: [],
    overloads: new Map(),
    constants: new Map(),
    offsets: parsed.offsets,
    resultType: dynType,
  };
}

class Names {
  readonly #environment: Environment;
  readonly #bindings: Map<string, Value>;
  /** Variables of the comprehensions around. */
  readonly #locals: string[] = [];

  constructor(environment: Environment, bindings: Map<string, Value>) {
    this.#environment = environment;
    this.#bindings = bindings;
  }

  resolve(expression: Expression): Expression {
    switch (expression.kind) {
      case 'literal':
        return expression;
      case 'identifier':
        return this.#known(expression.id, expression.name) ?? expression;
      case 'select':
        return this.#select(expression);
      case 'call':
        return this.#call(expression);
      case 'list':
        return { ...expression, elements: expression.elements.map((element) => this.resolve(element)) };
      case 'map':
        return {
          ...expression,
          entries: expression.entries.map((entry) => ({
            ...entry,
            key: this.resolve(entry.key),
            value: this.resolve(entry.value),
          })),
        };
      case 'struct': {
        const name =
          this.#environment
            .candidates(expression.name)
            .find((candidate) => this.#environment.findType(candidate) !== undefined) ?? expression.name;
        return {
          ...expression,
          name,
          fields: expression.fields.map((field) => ({ ...field, value: this.resolve(field.value) })),
        };
      }
      case 'comprehension':
        return this.#comprehension(expression);
    }
  }

  #known(id: number, name: string): Expression | undefined {
    for (const candidate of this.#environment.candidates(name)) {
      if (this.#locals.includes(candidate) || this.#bindings.has(candidate))
        return { kind: 'identifier', id, name: candidate };
      const value = this.#environment.findVariable(candidate)?.value;
      if (value === undefined) continue;
      this.#bindings.set(candidate, value);
      return { kind: 'identifier', id, name: candidate };
    }
    return undefined;
  }

  /** The longest name that is bound comes first: `a.b.c` before the field `c` of `a.b`. */
  #select(expression: Select): Expression {
    const name = qualifiedName(expression);
    return (
      (name === undefined ? undefined : this.#known(expression.id, name)) ?? {
        ...expression,
        operand: this.resolve(expression.operand),
      }
    );
  }

  #call(expression: Call): Expression {
    const prefix = expression.target === undefined ? undefined : qualifiedName(expression.target);
    const qualified =
      prefix === undefined ? undefined : this.#environment.findFunction(`${prefix}.${expression.function}`);
    const called = qualified ?? this.#environment.findFunction(expression.function);
    const target =
      qualified === undefined && expression.target !== undefined ? this.resolve(expression.target) : undefined;
    const args = expression.args.map((arg) => this.resolve(arg));
    checkCount(called, expression.function, args.length + (target === undefined ? 0 : 1));
    return { ...expression, function: called?.name ?? expression.function, target, args };
  }

  #comprehension(expression: Comprehension): Expression {
    const init = this.resolve(expression.init);
    const range = this.resolve(expression.range);
    this.#locals.push(expression.accumulator, expression.variable, expression.variable2);
    const condition = this.resolve(expression.condition);
    const step = this.resolve(expression.step);
    const result = this.resolve(expression.result);
    this.#locals.length -= 3;
    return { ...expression, init, range, condition, step, result };
  }
}

/** A function with one overload is called with as many arguments as that has. */
function checkCount(called: FunctionEntry | undefined, name: string, count: number): void {
  const [first, ...others] = called?.overloads ?? [];
  const wrong =
    first === undefined
      ? count === 0
      : others.length === 0 && called?.implementation === undefined && first.overload.parameters.length !== count;
  if (wrong) throw new ProgramError(`no such overload: ${name}(${['', 'arg', 'lhs, rhs'][count] ?? '...'})`);
}
