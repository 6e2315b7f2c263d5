import { atOnce, type Steps } from '#shared/apimachinery/slices/slices.ts';
import {
  addBounds,
  exactly,
  maxEstimate,
  multiplyBounds,
  scaleBounds,
  type Bounds,
  type CallEstimate,
  type EstimateNode,
} from '#shared/cel/contract/estimate.ts';
import type { FunctionDeclaration, Overload } from '#shared/cel/contract/function-declaration.ts';
import type { Library } from '#shared/cel/contract/library.ts';
import { costOfCharacter, costOfList } from '#shared/cel/libraries/sizes.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  stringType,
  timestampType,
  typeParameter,
  uintType,
  type CelType,
} from '#shared/cel/values/cel-type.ts';
import { noOperator, ProgramError } from '#shared/cel/values/errors.ts';
import { goType } from '#shared/cel/values/go-type.ts';
import { ArrayList, elementsOf, RangeList } from '#shared/cel/values/list.ts';
import { costSize } from '#shared/cel/values/sizes.ts';
import { typeOf } from '#shared/cel/values/type-of.ts';
import { CelError, CelList, type Value } from '#shared/cel/values/value.ts';
import { distinct, sortBy } from './order.ts';
import { sortByMacro } from './sort-by-macro.ts';

type Int = number | bigint;

const listOfT = listType(typeParameter('T'));
const listOfDyn = listType(dynType);
const comparable: readonly CelType[] = [
  intType,
  uintType,
  doubleType,
  boolType,
  durationType,
  timestampType,
  stringType,
  bytesType,
];

const compared: Pick<Overload, 'cost'> = { cost: ([list]) => costOfPairs(list) };

/** As in cel-go, all overloads share one implementation, which takes lists of any type. */
function* sorted(list: Value | undefined, keys: Value | undefined, name: string): Steps<Value> {
  return list instanceof CelList && keys instanceof CelList
    ? yield* sortBy(list, keys)
    : noOperator(name, list ?? null);
}

const functions: readonly FunctionDeclaration[] = [
  {
    name: 'slice',
    overloads: [
      {
        id: 'list_slice',
        member: true,
        parameters: [listOfT, intType, intType],
        result: listOfT,
        implementation: slice,
        cost: (_, result) => costOfMaking(costSize(result)),
        estimate(context, target, [start, end]) {
          if (target === undefined || start === undefined || end === undefined) return undefined;
          const to = literalOf(end, context.sizeOf(target).max);
          const from = literalOf(start, 0);
          return estimateMaking(exactly(to < from ? maxEstimate : to - from));
        },
      },
    ],
  },
  {
    name: 'flatten',
    implementation: flattenAnything,
    overloads: [
      {
        id: 'list_flatten',
        member: true,
        parameters: [listType(listOfT)],
        result: listOfT,
        cost: ([list]) => costOfMaking(costSize(list ?? null)),
        estimate: (context, target) => (target === undefined ? undefined : estimateMaking(context.sizeOf(target))),
      },
      {
        id: 'list_flatten_int',
        member: true,
        parameters: [listOfDyn, intType],
        result: listOfDyn,
        cost: ([list, depth]) => costOfMaking(costSize(list ?? null), depthOf(depth ?? null)),
        estimate: (context, target, [depth]) =>
          target === undefined || depth === undefined
            ? undefined
            : estimateMaking(context.sizeOf(target), literalOf(depth, maxEstimate)),
      },
    ],
  },
  {
    name: 'sort',
    overloads: comparable.map((type) => ({
      id: `list_${type.name}_sort`,
      member: true,
      parameters: [listType(type)],
      result: listType(type),
      ...compared,
      estimate: (context, target) => (target === undefined ? undefined : estimateSort(context.sizeOf(target), type)),
    })),
    implementation: (list) => atOnce(sorted(list, list, 'sort')),
    steps: (list) => sorted(list, list, 'sort'),
  },
  {
    name: '@sortByAssociatedKeys',
    overloads: comparable.map((type) => ({
      id: `list_${type.name}_sortByAssociatedKeys`,
      member: true,
      parameters: [listOfT, listType(type)],
      result: listOfT,
      cost: ([, keys]) => costOfPairs(keys),
      estimate: (context, target, [keys]) =>
        target === undefined || keys === undefined ? undefined : estimateSort(context.sizeOf(keys), type),
    })),
    implementation: (list, keys) => atOnce(sorted(list, keys, '@sortByAssociatedKeys')),
    steps: (list, keys) => sorted(list, keys, '@sortByAssociatedKeys'),
  },
  {
    name: 'lists.range',
    overloads: [
      {
        id: 'lists_range',
        parameters: [intType],
        result: listType(intType),
        implementation: range,
        cost: (_, result) => costOfMaking(costSize(result)),
        estimate: (_, target, [count]) =>
          target !== undefined || count === undefined
            ? undefined
            : estimateMaking(exactly(literalOf(count, maxEstimate))),
      },
    ],
  },
  {
    name: 'reverse',
    overloads: [
      {
        id: 'list_reverse',
        member: true,
        parameters: [listOfT],
        result: listOfT,
        implementation: (list: CelList) => new ArrayList(elementsOf(list).toReversed()),
        cost: (_, result) => costOfMaking(costSize(result)),
        estimate: (context, target) => (target === undefined ? undefined : estimateMaking(context.sizeOf(target))),
      },
    ],
  },
  {
    name: 'distinct',
    overloads: [
      {
        id: 'list_distinct',
        member: true,
        parameters: [listOfT],
        result: listOfT,
        implementation: (list: CelList) => atOnce(distinct(list)),
        steps: distinct,
        ...compared,
        estimate(context, target) {
          if (target === undefined) return undefined;
          const size = context.sizeOf(target);
          return estimateMaking(multiplyBounds(size, size), 2);
        },
      },
    ],
  },
];

/** cel-go's functions of lists, version 3. */
export const listsLibrary: Library = { name: 'cel.lib.ext.lists', functions, macros: [sortByMacro] };

function costOfMaking(elements: number, factor = 1): number {
  return Math.trunc(elements * factor) + 1 + costOfList;
}

/** The depth argument. cel-go panics when it computes the cost if the argument is an error or of another type. */
function depthOf(depth: Value): number {
  if (typeof depth !== 'number' && typeof depth !== 'bigint')
    throw new ProgramError(`internal error: interface conversion: ref.Val is ${goType(depth)}, not types.Int`);
  return Number(depth);
}

/** The cost of comparing every element with every other. */
function costOfPairs(list: Value | undefined): number {
  if (list instanceof CelError)
    throw new ProgramError('internal error: interface conversion: *types.Err is not traits.Lister: missing method Add');
  if (!(list instanceof CelList) || list.size === 0) return costOfMaking(0);
  const { kind } = typeOf(list.get(0));
  return costOfMaking(list.size * list.size, kind === 'string' || kind === 'bytes' ? 2 + costOfCharacter : 2);
}

function estimateMaking(size: Bounds, factor = 1): CallEstimate {
  return { cost: addBounds(scaleBounds(size, factor), exactly(1 + costOfList)), resultSize: size };
}

function estimateSort(size: Bounds, type: CelType): CallEstimate {
  return estimateMaking(
    multiplyBounds(size, size),
    type.kind === 'string' || type.kind === 'bytes' ? 2 + costOfCharacter : 2,
  );
}

/** The value of a literal int, but 0 if it is negative; `otherwise` for all other expressions. */
function literalOf(node: EstimateNode, otherwise: number): number {
  const { expression } = node;
  if (expression?.kind !== 'literal' || (typeof expression.value !== 'number' && typeof expression.value !== 'bigint'))
    return otherwise;
  return Math.max(0, Number(expression.value));
}

function slice(list: CelList, start: Int, end: Int): Value {
  if (start < 0 || end < 0) return new CelError(`cannot slice(${start}, ${end}), negative indexes not supported`);
  if (start > end)
    return new CelError(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  if (list.size < end) return new CelError(`cannot slice(${start}, ${end}), list is length ${list.size}`);
  return new ArrayList(elementsOf(list).slice(Number(start), Number(end)));
}

/** `flatten` with element types unchecked: at run time it also accepts a list without nested lists. */
function flattenAnything(list: Value, depth: Value = 1): Value {
  if (list instanceof CelList && (typeof depth === 'number' || typeof depth === 'bigint')) return flatten(list, depth);
  return new CelError('no such overload');
}

function flatten(list: CelList, depth: Int): Value {
  if (depth < 0) return new CelError('level must be non-negative');
  const items: Value[] = [];
  flattenInto(items, list, Number(depth));
  return new ArrayList(items);
}

function flattenInto(items: Value[], list: CelList, depth: number): void {
  for (let index = 0; index < list.size; index++) {
    const element = list.get(index);
    if (depth > 0 && element instanceof CelList) flattenInto(items, element, depth - 1);
    else items.push(element);
  }
}

/** A longer range would exceed every cost limit of Kubernetes. */
const longestRange = 2_000_000;

function range(count: Int): Value {
  if (count > longestRange) return new CelError('operation cancelled: actual cost limit exceeded');
  return new RangeList(Math.max(0, Number(count)));
}
