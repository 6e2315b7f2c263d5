import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { FunctionDeclaration, Overload } from '#shared/cel/contract/function-declaration.ts';
import { add, divide, modulo, multiply, negate, subtract } from '#shared/cel/values/arithmetic.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  mapType,
  stringType,
  timestampType,
  typeParameter,
  uintType,
  type CelType,
} from '#shared/cel/values/cel-type.ts';
import { equals, equalsInSteps, holdsValues } from '#shared/cel/values/equality.ts';
import { noOperator, noSuchOverload } from '#shared/cel/values/errors.ts';
import { orderOfValues } from '#shared/cel/values/order.ts';
import {
  CelDouble,
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelTimestamp,
  CelUint,
  type Value,
} from '#shared/cel/values/value.ts';
import { countWork, inOneTurn, spendBatch } from '#shared/cel/values/work-limit.ts';
import { addListCosts, compareCosts, inListCosts, joinCosts } from './call-costs.ts';
import { overload, shared } from './declare.ts';

const a = typeParameter('A');
const b = typeParameter('B');
const listOfA = listType(a);
const mapOfAB = mapType(a, b);

/** The pairs of types that have overloads of the comparison operators, in cel-go's order. */
const comparable: readonly (readonly [string, CelType, CelType])[] = [
  ['bool', boolType, boolType],
  ['int64', intType, intType],
  ['int64_double', intType, doubleType],
  ['int64_uint64', intType, uintType],
  ['uint64', uintType, uintType],
  ['uint64_double', uintType, doubleType],
  ['uint64_int64', uintType, intType],
  ['double', doubleType, doubleType],
  ['double_int64', doubleType, intType],
  ['double_uint64', doubleType, uintType],
  ['string', stringType, stringType],
  ['bytes', bytesType, bytesType],
  ['timestamp', timestampType, timestampType],
  ['duration', durationType, durationType],
];

function comparison(name: string, prefix: string, test: (order: number) => boolean): FunctionDeclaration {
  const overloads = comparable.map(([suffix, left, right]) =>
    overload(
      `${prefix}_${suffix}`,
      [left, right],
      boolType,
      suffix === 'string' || suffix === 'bytes' ? compareCosts : {},
    ),
  );
  return shared(
    name,
    (left: Value, right: Value) => {
      if (typeof left === 'number' && typeof right === 'number') return test(left - right);
      if (!hasOrder(left)) return noOperator(name, left);
      const order = orderOfValues(left, right);
      return order instanceof CelError ? order : test(order);
    },
    overloads,
  );
}

function hasOrder(value: Value): boolean {
  return (
    typeof value !== 'object' ||
    value instanceof Uint8Array ||
    value instanceof CelUint ||
    value instanceof CelDouble ||
    value instanceof CelDuration ||
    value instanceof CelTimestamp
  );
}

/** Overloads whose operands and result all have the same type. */
function same(prefix: string, types: readonly (readonly [string, CelType])[]): Overload[] {
  return types.map(([suffix, type]) => overload(`${prefix}_${suffix}`, [type, type], type));
}

/** Whether a list contains an element, or a map contains a key. */
export function contains(element: Value, container: Value): Value {
  if (container instanceof CelList) {
    if (container.includes !== undefined) return inOneTurn(container.includes(element));
    for (let index = 0, { size } = container; index < size; index++) {
      if (equals(element, container.get(index)) === true) return true;
      if (countWork()) spendBatch();
    }
    return false;
  }
  return container instanceof CelMap ? container.has(element) : noSuchOverload();
}

/** {@link contains} in steps. */
function* containsInSteps(element: Value, container: Value): Steps<Value> {
  if (!(container instanceof CelList)) return contains(element, container);
  if (container.includes !== undefined) return yield* container.includes(element);
  for (let index = 0, { size } = container; index < size; index++) {
    if (
      (holdsValues(element)
        ? yield* equalsInSteps(element, container.get(index))
        : equals(element, container.get(index))) === true
    )
      return true;
    if (countWork()) yield;
  }
  return false;
}

const numbers = [
  ['double', doubleType],
  ['int64', intType],
  ['uint64', uintType],
] as const;

/** The operators as functions. Those that do not evaluate all operands are implemented by the evaluator. */
export const operators: readonly FunctionDeclaration[] = [
  { name: '_?_:_', overloads: [overload('conditional', [boolType, a, a], a)] },
  { name: '_&&_', overloads: [overload('logical_and', [boolType, boolType], boolType)] },
  { name: '_||_', overloads: [overload('logical_or', [boolType, boolType], boolType)] },
  shared('!_', (value: Value) => (typeof value === 'boolean' ? !value : noSuchOverload()), [
    overload('logical_not', [boolType], boolType),
  ]),
  {
    name: '@not_strictly_false',
    overloads: [
      overload('not_strictly_false', [boolType], boolType, {
        nonStrict: true,
        implementation: (value: Value) => (typeof value === 'boolean' ? value : true),
      }),
    ],
  },
  { name: '_==_', overloads: [overload('equals', [a, a], boolType, compareCosts)] },
  { name: '_!=_', overloads: [overload('not_equals', [a, a], boolType, compareCosts)] },
  shared('_+_', add, [
    overload('add_bytes', [bytesType, bytesType], bytesType, joinCosts),
    overload('add_double', [doubleType, doubleType], doubleType),
    overload('add_duration_duration', [durationType, durationType], durationType),
    overload('add_duration_timestamp', [durationType, timestampType], timestampType),
    overload('add_timestamp_duration', [timestampType, durationType], timestampType),
    overload('add_int64', [intType, intType], intType),
    overload('add_list', [listOfA, listOfA], listOfA, addListCosts),
    overload('add_string', [stringType, stringType], stringType, joinCosts),
    overload('add_uint64', [uintType, uintType], uintType),
  ]),
  shared('_/_', divide, same('divide', numbers)),
  shared('_%_', modulo, same('modulo', numbers.slice(1))),
  shared('_*_', multiply, same('multiply', numbers)),
  shared('-_', negate, [
    overload('negate_double', [doubleType], doubleType),
    overload('negate_int64', [intType], intType),
  ]),
  shared('_-_', subtract, [
    overload('subtract_double', [doubleType, doubleType], doubleType),
    overload('subtract_duration_duration', [durationType, durationType], durationType),
    overload('subtract_int64', [intType, intType], intType),
    overload('subtract_timestamp_duration', [timestampType, durationType], timestampType),
    overload('subtract_timestamp_timestamp', [timestampType, timestampType], durationType),
    overload('subtract_uint64', [uintType, uintType], uintType),
  ]),
  comparison('_<_', 'less', (order) => order < 0),
  comparison('_<=_', 'less_equals', (order) => order <= 0),
  comparison('_>_', 'greater', (order) => order > 0),
  comparison('_>=_', 'greater_equals', (order) => order >= 0),
  { name: '_[_]', overloads: [overload('index_list', [listOfA, intType], a), overload('index_map', [mapOfAB, a], b)] },
  {
    ...shared('@in', contains, [
      overload('in_list', [a, listOfA], boolType, inListCosts),
      overload('in_map', [a, mapOfAB], boolType),
    ]),
    steps: containsInSteps,
  },
];
