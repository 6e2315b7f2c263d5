import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Environment } from '#shared/cel/check/environment.ts';
import type { Checked, OverloadEntry } from '#shared/cel/contract/checked.ts';
import {
  addBounds,
  maxEstimate,
  multiplyBounds,
  noCost,
  unbounded,
  unionOfBounds,
  type Bounds,
  type CallEstimate,
  type EstimateContext,
  type EstimateNode,
  type SizeEstimator,
} from '#shared/cel/contract/estimate.ts';
import type { Call, Comprehension, Expression, Select } from '#shared/cel/syntax/expression.ts';
import { dynType, type CelType } from '#shared/cel/values/cel-type.ts';
import { partIsOver } from '#shared/cel/values/part-is-over.ts';
import {
  type EntrySizes,
  type LocalVariable,
  LocalVariables,
  isBind,
  isScalar,
  sizeOfLiteral,
  unionOfEntries,
} from './estimate-parts.ts';
import { listCost, mapCost, one, structCost } from './literal-costs.ts';
import { standardEstimate } from './standard-estimates.ts';

/**
 * Bounds of the cost of an expression, estimated without values from the sizes that `sizes` knows (cel-go,
 * checker/cost.go). `has()` costs nothing, as Kubernetes configures it.
 */
export function estimateCost(checked: Checked, environment: Environment, sizes: SizeEstimator): Steps<Bounds> {
  return new Estimation(checked, environment, sizes).costOf(checked.expression);
}

class Estimation implements EstimateContext {
  readonly #checked: Checked;
  readonly #environment: Environment;
  readonly #sizes: SizeEstimator;
  /** The paths of expressions, by id. */
  readonly #paths = new Map<number, readonly string[]>();
  readonly #computed = new Map<number, Bounds>();
  readonly #entries = new Map<number, EntrySizes>();
  readonly #locals = new LocalVariables();

  constructor(checked: Checked, environment: Environment, sizes: SizeEstimator) {
    this.#checked = checked;
    this.#environment = environment;
    this.#sizes = sizes;
  }

  /** Used by the estimates of libraries, also for list elements, of which only the path is known. */
  sizeOf(node: EstimateNode): Bounds {
    return node.computedSize ?? this.#sizes.estimateSize(node) ?? unbounded;
  }

  *costOf(e: Expression): Steps<Bounds> {
    if (partIsOver()) yield;
    switch (e.kind) {
      case 'literal':
        return noCost;
      case 'identifier':
        this.#paths.set(e.id, this.#locals.find(e.name)?.path ?? [e.name]);
        return one;
      case 'select':
        return yield* this.#costOfSelect(e);
      case 'call':
        return yield* this.#costOfCall(e);
      case 'list':
        return yield* this.#costOfList(e.id, e.elements);
      case 'map':
        return yield* this.#costOfMap(e.id, e.entries);
      case 'struct': {
        let cost = structCost;
        for (const { value } of e.fields) cost = addBounds(cost, yield* this.costOf(value));
        return cost;
      }
      case 'comprehension':
        return yield* isBind(e) ? this.#costOfBind(e) : this.#costOfLoop(e);
    }
  }

  *#costOfSelect(e: Select): Steps<Bounds> {
    const operand = yield* this.costOf(e.operand);
    if (e.testOnly) return operand;
    const { kind } = this.#typeOf(e.operand);
    this.#paths.set(e.id, [...this.#pathOf(e.operand), e.field]);
    return kind === 'map' || kind === 'struct' || kind === 'parameter' ? addBounds(operand, one) : operand;
  }

  *#costOfCall(e: Call): Steps<Bounds> {
    const [first] = e.args;
    if (e.function === 'dyn' && first !== undefined) {
      const cost = yield* this.costOf(first);
      this.#copySizes(e, first);
      return addBounds(one, cost);
    }
    const costs: Bounds[] = [];
    const args: EstimateNode[] = [];
    for (const arg of e.args) {
      costs.push(yield* this.costOf(arg));
      args.push(this.#nodeOf(arg));
    }
    const overloads = this.#checked.overloads.get(e.id) ?? [];
    // `a.?b` has a single form, for which the checker records no overload.
    if (e.function === '_?._') return addBounds(one, costs.reduce(addBounds, noCost));
    if (overloads.length === 0) return noCost;
    const ofTarget = e.target === undefined ? noCost : yield* this.costOf(e.target);
    const target = e.target === undefined ? undefined : this.#nodeOf(e.target);
    let cost: Bounds = { min: maxEstimate, max: 0 };
    let size: Bounds | undefined;
    for (const overload of overloads) {
      const estimate = this.#estimateOf(e, overload, target, args, costs);
      cost = unionOfBounds(cost, estimate.cost);
      if (estimate.resultSize !== undefined)
        size = size === undefined ? estimate.resultSize : unionOfBounds(size, estimate.resultSize);
      const { id } = overload.overload;
      if ((id === 'index_list' || id === 'index_map') && first !== undefined) {
        size = this.#entriesOf(first)?.value;
        this.#paths.set(e.id, [...this.#pathOf(first), id === 'index_list' ? '@items' : '@values']);
      }
      size ??= this.#computeSize(e);
    }
    this.#setSize(e, size);
    return addBounds(ofTarget, cost);
  }

  /** The estimate of a call with one overload, including the costs of its arguments. */
  #estimateOf(
    e: Call,
    { overload }: OverloadEntry,
    target: EstimateNode | undefined,
    args: readonly EstimateNode[],
    costs: readonly Bounds[],
  ): CallEstimate {
    const own =
      this.#environment.findFunction(e.function)?.estimate?.(this, target, args) ??
      overload.estimate?.(this, target, args);
    const ofArgs = (): Bounds => costs.reduce(addBounds, noCost);
    if (own !== undefined) return { ...own, cost: addBounds(own.cost, ofArgs()) };
    const [a, b, c] = costs;
    switch (overload.id) {
      case 'logical_or':
      case 'logical_and':
        return { cost: { min: a?.min ?? 0, max: addBounds(a ?? noCost, b ?? noCost).max } };
      case 'conditional': {
        const [, whenTrue, whenFalse] = e.args;
        if (whenTrue !== undefined && whenFalse !== undefined)
          this.#setEntries(e, unionOfEntries(this.#entriesOf(whenTrue), this.#entriesOf(whenFalse)));
        return {
          cost: addBounds(a ?? noCost, unionOfBounds(b ?? noCost, c ?? noCost)),
          resultSize: unionOfBounds(args[1]?.computedSize ?? unbounded, args[2]?.computedSize ?? unbounded),
        };
      }
      case 'add_string':
      case 'add_bytes':
      case 'add_list': {
        const [left, right] = e.args;
        if (left !== undefined && right !== undefined)
          this.#setEntries(e, unionOfEntries(this.#entriesOf(left), this.#entriesOf(right)));
        break;
      }
      default:
    }
    const standard = standardEstimate(overload.id, target, args) ?? { cost: one };
    return { ...standard, cost: addBounds(standard.cost, ofArgs()) };
  }

  *#costOfList(id: number, elements: readonly Expression[]): Steps<Bounds> {
    let cost = noCost;
    let value: Bounds = { min: elements.length === 0 ? 0 : maxEstimate, max: 0 };
    for (const element of elements) {
      cost = addBounds(cost, yield* this.costOf(element));
      value = unionOfBounds(value, this.#computeSize(element) ?? unbounded);
    }
    this.#entries.set(id, { kind: 'list', key: one, value });
    return addBounds(cost, listCost);
  }

  *#costOfMap(id: number, entries: readonly { readonly key: Expression; readonly value: Expression }[]): Steps<Bounds> {
    let cost = noCost;
    let key: Bounds = { min: entries.length === 0 ? 0 : maxEstimate, max: 0 };
    let value = key;
    for (const entry of entries) {
      cost = addBounds(addBounds(cost, yield* this.costOf(entry.key)), yield* this.costOf(entry.value));
      key = unionOfBounds(key, this.#computeSize(entry.key) ?? unbounded);
      value = unionOfBounds(value, this.#computeSize(entry.value) ?? unbounded);
    }
    this.#entries.set(id, { kind: 'map', key, value });
    return addBounds(cost, mapCost);
  }

  *#costOfLoop(e: Comprehension): Steps<Bounds> {
    const before = addBounds(yield* this.costOf(e.range), yield* this.costOf(e.init));
    this.#locals.push(e.accumulator, {
      path: this.#pathOf(e.init),
      size: this.#computeSize(e.init),
      entries: this.#entriesOf(e.init),
    });
    const variables = this.#pushElements(e);
    const each = addBounds(yield* this.costOf(e.condition), yield* this.costOf(e.step));
    for (const name of variables) this.#locals.pop(name);
    const after = yield* this.costOf(e.result);
    this.#locals.pop(e.accumulator);
    const count = this.#computeSize(e.range) ?? unbounded;
    if (e.init.kind === 'literal') this.#setSize(e, this.#computeSize(e.init));
    else if (e.init.kind === 'list' || e.init.kind === 'map') {
      this.#setSize(e, count);
      this.#setEntries(e, this.#entriesOf(e.step));
    }
    return addBounds(addBounds(before, after), multiplyBounds(count, each));
  }

  #pushElements(e: Comprehension): readonly string[] {
    const entries = this.#entriesOf(e.range);
    const path = this.#pathOf(e.range);
    const isList = (entries?.kind ?? this.#typeOf(e.range).kind) === 'list';
    const at = (step: string, size: Bounds | undefined): LocalVariable => ({
      path: [...path, step],
      size,
      entries: undefined,
    });
    if (e.variable2 === '') {
      this.#locals.push(e.variable, isList ? at('@items', entries?.value) : at('@keys', entries?.key));
      return [e.variable];
    }
    this.#locals.push(e.variable, at(isList ? '@indices' : '@keys', entries?.key));
    this.#locals.push(e.variable2, at(isList ? '@items' : '@values', entries?.value));
    return [e.variable, e.variable2];
  }

  *#costOfBind(e: Comprehension): Steps<Bounds> {
    const cost = addBounds(yield* this.costOf(e.range), yield* this.costOf(e.init));
    this.#locals.push(e.accumulator, {
      path: this.#pathOf(e.init),
      size: this.#computeSize(e.init),
      entries: this.#entriesOf(e.init),
    });
    const result = yield* this.costOf(e.result);
    this.#locals.pop(e.accumulator);
    this.#copySizes(e, e.result);
    return addBounds(cost, result);
  }

  #typeOf(e: Expression): CelType {
    return this.#checked.types[e.id] ?? dynType;
  }

  #pathOf(e: Expression): readonly string[] {
    return (e.kind === 'identifier' ? this.#locals.find(e.name)?.path : undefined) ?? this.#paths.get(e.id) ?? [];
  }

  /** Describes an expression for estimates. A list that a macro builds has no path, so its size is unknown. */
  #nodeOf(e: Expression): EstimateNode {
    const path = this.#pathOf(e);
    return {
      expression: e,
      type: this.#typeOf(e),
      path: path[0] === '__result__' || path[0] === '@result' ? [] : path,
      computedSize: this.#computeSize(e),
    };
  }

  #computeSize(e: Expression): Bounds | undefined {
    const known = this.#computed.get(e.id) ?? sizeOfLiteral(e);
    if (known !== undefined) return known;
    const type = this.#typeOf(e);
    const estimated = this.#sizes.estimateSize({ expression: e, type, path: this.#pathOf(e), computedSize: undefined });
    if (estimated !== undefined) {
      this.#computed.set(e.id, estimated);
      return estimated;
    }
    return isScalar(type) ? one : e.kind === 'identifier' ? this.#locals.find(e.name)?.size : undefined;
  }

  #setSize(e: Expression, size: Bounds | undefined): void {
    if (size !== undefined) this.#computed.set(e.id, size);
  }

  #entriesOf(e: Expression): EntrySizes | undefined {
    return this.#entries.get(e.id) ?? (e.kind === 'identifier' ? this.#locals.find(e.name)?.entries : undefined);
  }

  #setEntries(e: Expression, entries: EntrySizes | undefined): void {
    if (entries !== undefined) this.#entries.set(e.id, entries);
  }

  #copySizes(to: Expression, from: Expression): void {
    this.#setSize(to, this.#computeSize(from));
    this.#setEntries(to, this.#entriesOf(from));
  }
}
