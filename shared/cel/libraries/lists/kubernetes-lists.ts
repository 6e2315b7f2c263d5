import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { FunctionDeclaration, Overload } from '#shared/cel/contract/function-declaration.ts';
import type { Library } from '#shared/cel/contract/library.ts';
import { inSteps } from '#shared/cel/libraries/in-steps.ts';
import { costOfSearch, estimateSearch } from '#shared/cel/libraries/search-cost.ts';
import { add } from '#shared/cel/values/arithmetic.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  stringType,
  timestampType,
  typeParameter,
  uintType,
  type CelType,
} from '#shared/cel/values/cel-type.ts';
import { equals, equalsInSteps, holdsValues } from '#shared/cel/values/equality.ts';
import { orderOfValues } from '#shared/cel/values/order.ts';
import { CelDouble, CelDuration, CelError, CelUint, type CelList, type Value } from '#shared/cel/values/value.ts';
import { countWork } from '#shared/cel/values/work-limit.ts';

const comparable: readonly (readonly [name: string, type: CelType])[] = [
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
  ['bool', boolType],
  ['duration', durationType],
  ['timestamp', timestampType],
  ['string', stringType],
  ['bytes', bytesType],
];

const summable: readonly (readonly [name: string, type: CelType, zero: Value])[] = [
  ['int', intType, 0],
  ['uint', uintType, new CelUint(0)],
  ['double', doubleType, new CelDouble(0)],
  ['duration', durationType, new CelDuration(0n)],
];

const anything = typeParameter('A');
const shared = { cost: costOfSearch, estimate: estimateSearch };

function each(
  id: (name: string) => string,
  result: (type: CelType) => CelType,
  steps: (list: CelList) => Steps<Value>,
): readonly Overload[] {
  return comparable.map(([name, type]) => ({
    id: id(name),
    member: true,
    parameters: [listType(type)],
    result: result(type),
    ...inSteps(steps),
  }));
}

const functions: readonly FunctionDeclaration[] = [
  {
    name: 'isSorted',
    ...shared,
    overloads: each(
      (name) => `list_${name}_is_sorted_bool`,
      () => boolType,
      isSorted,
    ),
  },
  {
    name: 'sum',
    ...shared,
    overloads: summable.map(([name, type, zero]) => ({
      id: `list_${name}_sum_${name}`,
      member: true,
      parameters: [listType(type)],
      result: type,
      ...inSteps((list: CelList) => sum(list, zero)),
    })),
  },
  {
    name: 'max',
    ...shared,
    overloads: each(
      (name) => `list_${name}_max_${name}`,
      (type) => type,
      (list) => extreme(list, 'max', (order) => order < 0),
    ),
  },
  {
    name: 'min',
    ...shared,
    overloads: each(
      (name) => `list_${name}_min_${name}`,
      (type) => type,
      (list) => extreme(list, 'min', (order) => order > 0),
    ),
  },
  {
    name: 'indexOf',
    ...shared,
    overloads: [
      {
        id: 'list_a_index_of_int',
        member: true,
        parameters: [listType(anything), anything],
        result: intType,
        ...inSteps(indexOf),
      },
    ],
  },
  {
    name: 'lastIndexOf',
    ...shared,
    overloads: [
      {
        id: 'list_a_last_index_of_int',
        member: true,
        parameters: [listType(anything), anything],
        result: intType,
        ...inSteps(lastIndexOf),
      },
    ],
  },
];

/** Kubernetes' functions of lists. */
export const kubernetesListsLibrary: Library = { name: 'kubernetes.lists', functions };

function* isSorted(list: CelList): Steps<boolean> {
  for (let index = 1; index < list.size; index++) {
    const order = orderOfValues(list.get(index - 1), list.get(index));
    if (typeof order === 'number' && order > 0) return false;
    if (countWork()) yield;
  }
  return true;
}

function* sum(list: CelList, zero: Value): Steps<Value> {
  let total = zero;
  for (let index = 0; index < list.size; index++) {
    total = add(total, list.get(index));
    if (total instanceof CelError) return total;
    if (countWork()) yield;
  }
  return total;
}

function* extreme(list: CelList, name: string, isBeaten: (order: number) => boolean): Steps<Value> {
  if (list.size === 0) return new CelError(`${name} called on empty list`);
  let found = list.get(0);
  for (let index = 1; index < list.size; index++) {
    const element = list.get(index);
    const order = orderOfValues(found, element);
    if (typeof order === 'number' && isBeaten(order)) found = element;
    if (countWork()) yield;
  }
  return found;
}

function* indexOf(list: CelList, item: Value): Steps<number> {
  for (let index = 0; index < list.size; index++) {
    if (yield* isEqual(list.get(index), item)) return index;
    if (countWork()) yield;
  }
  return -1;
}

function* lastIndexOf(list: CelList, item: Value): Steps<number> {
  for (let index = list.size - 1; index >= 0; index--) {
    if (yield* isEqual(list.get(index), item)) return index;
    if (countWork()) yield;
  }
  return -1;
}

function* isEqual(a: Value, b: Value): Steps<boolean> {
  return (holdsValues(a) ? yield* equalsInSteps(a, b) : equals(a, b)) === true;
}
