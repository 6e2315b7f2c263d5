import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { sortInSteps } from '#shared/apimachinery/slices/sort-in-steps.ts';
import { Membership, tooManyPairs } from '#shared/cel/libraries/pairs.ts';
import { ArrayList, elementsOf } from '#shared/cel/values/list.ts';
import { orderOfValues } from '#shared/cel/values/order.ts';
import { typeOf } from '#shared/cel/values/type-of.ts';
import type { CelList } from '#shared/cel/values/value.ts';
import { CelError, type Value } from '#shared/cel/values/value.ts';

export function* sortBy(list: CelList, keys: CelList): Steps<Value> {
  if (list.size !== keys.size) {
    return new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.size} and ${keys.size} elements respectively`,
    );
  }
  if (list.size === 0) return list;
  const tooMany = tooManyPairs(list.size * list.size);
  if (tooMany !== undefined) return tooMany;
  const values = elementsOf(keys);
  const first = values[0] ?? null;
  if (orderOfValues(first, first) instanceof CelError && !isNotANumber(first))
    return new CelError('list elements must be comparable');
  const { name } = typeOf(first);
  if (values.length > 1 && values.some((value) => typeOf(value).name !== name))
    return new CelError('list elements must have the same type');
  const places = yield* sortInSteps(
    Array.from(values, (_, index) => index),
    (a, b) => {
      const order = orderOfValues(values[a] ?? null, values[b] ?? null);
      return typeof order === 'number' ? order : 0;
    },
  );
  if (sliceIsOver()) yield;
  return new ArrayList(places.map((place) => list.get(place)));
}

function isNotANumber(value: Value): boolean {
  return typeOf(value).kind === 'double';
}

export function* distinct(list: CelList): Steps<Value> {
  if (list.size === 0) return list;
  const tooMany = tooManyPairs(list.size * list.size);
  if (tooMany !== undefined) return tooMany;
  const seen = new Membership();
  const items: Value[] = [];
  for (let index = 0; index < list.size; index++) {
    const element = list.get(index);
    if ((yield* seen.has(element)) === true) continue;
    seen.add(element);
    items.push(element);
  }
  return new ArrayList(items);
}
