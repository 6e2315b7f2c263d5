import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Environment } from '#shared/cel/check/environment.ts';
import type { Checked } from '#shared/cel/contract/checked.ts';
import type {
  Call,
  Comprehension,
  Expression,
  ListLiteral,
  MapLiteral,
  StructLiteral,
} from '#shared/cel/syntax/expression.ts';
import { ProgramError } from '#shared/cel/values/errors.ts';
import { ArrayList } from '#shared/cel/values/list.ts';
import { EntryMap } from '#shared/cel/values/map.ts';
import { partIsOver } from '#shared/cel/values/part-is-over.ts';
import { printValue } from '#shared/cel/values/print.ts';
import { CelError, CelList, CelOptional, type Value } from '#shared/cel/values/value.ts';
import { addQualifier, attributeNode, plainOptional, resolveNode } from './attribute.ts';
import { callNode, costOf } from './calls.ts';
import { accumulatorNode, comprehensionNode } from './comprehension.ts';
import { equalityNode } from './equality-node.ts';
import { conversions, folded, literalNode, unhashable } from './literal-node.ts';
import { membershipNode } from './membership.ts';
import type { Attribute, Qualifier } from './node.ts';
import { constantNode, isConstant, logicNode, type Node } from './node.ts';
import { attributeOf, checkPattern, constantKey, optionalOr, slotNode } from './plan-parts.ts';
import { quantifierNode, quantifierOf } from './quantifier.ts';

/** Compiles a checked expression into closures that count cel-go's costs; constant parts are evaluated once. */
export class Planner {
  /** The number of slots that the variables of comprehensions take. */
  slots = 0;
  readonly #checked: Checked;
  readonly #environment: Environment;
  readonly #scopes: Map<string, Node>[] = [];

  constructor(checked: Checked, environment: Environment) {
    this.#checked = checked;
    this.#environment = environment;
  }

  /** @throws ProgramError */
  *plan(expression: Expression): Steps<Node> {
    if (partIsOver()) yield;
    switch (expression.kind) {
      case 'literal':
        return constantNode(expression.value);
      case 'identifier':
        return this.#identifier(expression.id, expression.name);
      case 'select': {
        const attribute = attributeOf(yield* this.plan(expression.operand));
        addQualifier(attribute, constantKey(expression.field, false, expression.testOnly));
        return attributeNode(attribute, expression.testOnly);
      }
      case 'call':
        return yield* this.#call(expression);
      case 'list':
        return yield* this.#list(expression);
      case 'map':
        return yield* this.#map(expression);
      case 'struct':
        return yield* this.#struct(expression);
      case 'comprehension':
        return yield* this.#comprehension(expression);
    }
  }

  *#all(expressions: readonly Expression[]): Steps<Node[]> {
    const nodes: Node[] = [];
    for (const expression of expressions) nodes.push(yield* this.plan(expression));
    return nodes;
  }

  #identifier(id: number, name: string): Node {
    const constant =
      this.#checked.constants.get(id) ??
      (this.#checked.types[id]?.kind === 'type' ? this.#typeCalled(name) : undefined);
    if (constant !== undefined) return constantNode(constant);
    const variable = this.#variable(name);
    return attributeNode({ root: this.#mayBeOptional(id) ? plainOptional(variable) : variable, qualifiers: [] });
  }

  #branch(node: Node, of: Expression | undefined): Attribute {
    return node.attribute ?? attributeOf(of !== undefined && this.#mayBeOptional(of.id) ? plainOptional(node) : node);
  }

  #mayBeOptional(id: number): boolean {
    const type = this.#checked.types[id];
    return type === undefined || type.kind === 'dyn' || type.name === 'optional_type';
  }

  /** cel-go treats every identifier of type `type` as the name of a type, even a comprehension variable. */
  #typeCalled(name: string): Value {
    const value = this.#environment.findVariable(name)?.value;
    if (value === undefined) throw new ProgramError(`reference to undefined type: ${name}`);
    return value;
  }

  #variable(name: string): Node {
    for (let scope = this.#scopes.length - 1; scope >= 0; scope--) {
      const local = this.#scopes[scope]?.get(name);
      if (local !== undefined) return local;
    }
    const missing = new CelError(`no such attribute(s): ${name}`);
    return {
      evaluate({ bindings }) {
        const value = bindings.get(name);
        return value === undefined ? missing : value;
      },
      steps: undefined,
    };
  }

  *#call(call: Call): Steps<Node> {
    const args = yield* this.#all(call.target === undefined ? call.args : [call.target, ...call.args]);
    const [first, second, third] = args as [Node, Node, Node];
    const candidates = this.#checked.overloads.get(call.id) ?? [];
    const called = this.#environment.findFunction(call.function);
    const overload = candidates.length === 1 ? candidates[0]?.overload.id : undefined;
    switch (call.function) {
      case '_&&_':
        return logicNode(first, second, false);
      case '_||_':
        return logicNode(first, second, true);
      case '_?_:_':
        return attributeNode({
          conditional: {
            condition: first,
            yes: this.#branch(second, call.args[1]),
            no: this.#branch(third, call.args[2]),
          },
        });
      case '_==_':
      case '_!=_':
        return equalityNode(
          first,
          second,
          call.args.map(({ id }) => this.#checked.types[id]),
          costOf(called, called?.overloads[0]),
          call.function === '_!=_',
        );
      case '_[_]':
        return this.#index(first, second, false);
      case '_[?_]':
      case '_?._':
        return this.#index(first, second, true);
      case 'or':
        if (args.length === 2 && (overload ?? 'optional_or_optional') === 'optional_or_optional')
          return optionalOr(first, second, (value) => value);
        break;
      case 'orValue':
        if (args.length === 2 && (overload ?? 'optional_orValue_value') === 'optional_orValue_value')
          return optionalOr(first, second, ({ value }) => value as Value);
        break;
      default:
        break;
    }
    const pattern = called?.patternArgument === undefined ? undefined : args[called.patternArgument]?.constant;
    const isPattern = typeof pattern === 'string';
    if (isPattern) yield* checkPattern(pattern);
    if (overload === 'in_list' && second.constant instanceof CelList) {
      const membership = membershipNode(first, second.constant);
      if (membership !== undefined) return membership;
    }
    const node = callNode(called, call, candidates, args, isPattern || called?.oneByOne === true);
    return conversions.has(call.function) && args.length === 1 && isConstant(first) ? folded(node) : node;
  }

  #index(operand: Node, index: Node, optional: boolean): Node {
    const attribute = attributeOf(operand);
    const key: Qualifier = isConstant(index)
      ? constantKey(index.constant, optional, false)
      : {
          key: undefined,
          keyNode: index.attribute === undefined ? index : resolveNode(index.attribute),
          optional,
          testOnly: false,
        };
    addQualifier(attribute, key);
    return attributeNode(attribute);
  }

  *#list(list: ListLiteral): Steps<Node> {
    const elements = yield* this.#all(list.elements);
    const optional = new Set(list.optional);
    const make = (values: readonly Value[]): Value => {
      const items: Value[] = [];
      for (const [index, value] of values.entries()) {
        if (value instanceof CelError) return value;
        if (!optional.has(index)) items.push(value);
        else if (!(value instanceof CelOptional))
          return new CelError(`cannot initialize optional list element from non-optional value ${printValue(value)}`);
        else if (value.value !== undefined) items.push(value.value);
      }
      return new ArrayList(items);
    };
    return literalNode(elements, make, 10, true);
  }

  *#map(map: MapLiteral): Steps<Node> {
    const parts = yield* this.#all(map.entries.flatMap(({ key, value }) => [key, value]));
    const make = (values: readonly Value[]): Value => {
      const made = new EntryMap();
      for (const [index, { optional }] of map.entries.entries()) {
        const key = values[index * 2];
        const value = values[index * 2 + 1];
        if (key === undefined || key instanceof CelError) return key ?? null;
        if (value === undefined || value instanceof CelError) return value ?? null;
        if (optional && !(value instanceof CelOptional))
          return new CelError(
            `cannot initialize optional entry '${printValue(key)}' from non-optional value ${printValue(value)}`,
          );
        const given = optional ? (value as CelOptional).value : value;
        if (given === undefined) made.remove(key);
        else if (!made.set(key, given)) throw unhashable;
      }
      return made;
    };
    return literalNode(parts, make, 30, true);
  }

  *#struct(struct: StructLiteral): Steps<Node> {
    const provider = this.#environment.providers.find(
      (one) => one.newValue !== undefined && one.findType(struct.name) !== undefined,
    );
    if (provider === undefined) throw new ProgramError(`unknown type: ${struct.name}`);
    const make = (values: readonly Value[]): Value => {
      const fields = new Map<string, Value>();
      for (const [index, { name, optional }] of struct.fields.entries()) {
        const value = values[index] as Value;
        if (value instanceof CelError) return value;
        if (optional && !(value instanceof CelOptional))
          return new CelError(
            `cannot initialize optional entry '${name}' from non-optional value ${printValue(value)}`,
          );
        const given = optional ? (value as CelOptional).value : value;
        if (given === undefined) fields.delete(name);
        else fields.set(name, given);
      }
      return provider.newValue === undefined
        ? new CelError(`unknown type '${struct.name}'`)
        : provider.newValue(struct.name, fields);
    };
    return literalNode(yield* this.#all(struct.fields.map(({ value }) => value)), make, 40, false);
  }

  *#comprehension(expression: Comprehension): Steps<Node> {
    const init = yield* this.plan(expression.init);
    const range = yield* this.plan(expression.range);
    const accumulator = this.slots++;
    const variable = this.slots++;
    const variable2 = expression.variable2 === '' ? -1 : this.slots++;
    const accumulated = accumulatorNode(accumulator, init);
    this.#scopes.push(new Map([[expression.accumulator, accumulated]]));
    const variables = new Map([[expression.variable, slotNode(variable)]]);
    if (variable2 >= 0) variables.set(expression.variable2, slotNode(variable2));
    variables.set(expression.accumulator, accumulated);
    this.#scopes.push(variables);
    const condition = yield* this.plan(expression.condition);
    const quantifier = quantifierOf(expression);
    const asked = yield* this.plan(quantifier?.predicate ?? expression.step);
    this.#scopes.pop();
    const result = yield* this.plan(expression.result);
    this.#scopes.pop();
    const loop = { range, init, condition, result, variable, variable2, accumulator };
    return quantifier === undefined
      ? comprehensionNode({ ...loop, step: asked })
      : quantifierNode(loop, asked, quantifier.settles);
  }
}
