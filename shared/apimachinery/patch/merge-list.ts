import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { getKey, isObject } from '#shared/apimachinery/json/json.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { sortInSteps } from '#shared/apimachinery/slices/sort-in-steps.ts';
import { goPrint, goTypeName } from '#shared/apimachinery/text/go-format.ts';
import { PatchError } from './patch-error.ts';

/** Lists of objects are matched by a merge key, lists of scalars by value. */
export type ItemKind = 'object' | 'scalar';

/** Go's text for a value of the wrong type. */
export function badArgument(expected: 'object' | 'list', actual: JsonValue): PatchError {
  const name = goTypeName(actual);
  const wanted = expected === 'object' ? 'map[string]interface {}' : '[]interface {}';
  return new PatchError('internal', `expected a ${wanted}, but received a ${name === '' ? '%!s(<nil>)' : name}`);
}

export function noMergeKey(item: JsonObject, mergeKey: string): PatchError {
  return new PatchError('internal', `map: ${goPrint(item)} does not contain declared merge key: ${mergeKey}`);
}

/**
 * The one kind that all items have.
 * @throws PatchError for mixed lists, lists of lists and where there is no item at all
 */
export function* itemKind(...lists: readonly (readonly JsonValue[])[]): Steps<ItemKind> {
  let type: string | undefined;
  for (const list of lists) {
    for (const item of list) {
      const name = goTypeName(item);
      if (type === undefined && name === '[]interface {}')
        throw new PatchError('unprocessable', 'lists of lists are not supported');
      if (name === '' || (type !== undefined && type !== name)) {
        throw new PatchError(
          'internal',
          `list element types are not identical: [${lists.map((all) => goPrint([...all])).join(' ')}]`,
        );
      }
      type = name;
      if (sliceIsOver()) yield;
    }
  }
  if (type === undefined) throw new PatchError('internal', 'no elements in any of the given slices');
  return type === 'map[string]interface {}' ? 'object' : 'scalar';
}

/** Identity of an item: its merge key's value, or the scalar itself. Values of different types never match. */
export function identity(item: JsonValue | undefined, mergeKey: string, kind: ItemKind): string {
  const value = kind === 'object' && isObject(item) ? getKey(item, mergeKey) : item;
  return `${goTypeName(value)}:${goPrint(value)}`;
}

/** Index of the first object with each identity in a list. Objects without a merge key have no identity. */
export function* placesByKey(list: readonly JsonValue[], mergeKey: string): Steps<Map<string, number>> {
  const places = new Map<string, number>();
  for (const [i, item] of list.entries()) {
    if (sliceIsOver()) yield;
    if (!isObject(item) || getKey(item, mergeKey) === undefined) continue;
    const key = identity(item, mergeKey, 'object');
    if (!places.has(key)) places.set(key, i);
  }
  return places;
}

/** Splits a list into the items that `named` mentions and the others. */
export function* partition(
  list: readonly JsonValue[],
  named: readonly JsonValue[],
  mergeKey: string,
  kind: ItemKind,
): Steps<[JsonValue[], JsonValue[]]> {
  const inside: JsonValue[] = [];
  const outside: JsonValue[] = [];
  if (mergeKey !== '') {
    requireMergeKeys(mergeKey, list);
    requireMergeKeys(mergeKey, named);
  }
  const keys = new Set<string>();
  for (const item of named) {
    keys.add(identity(item, mergeKey, kind));
    if (sliceIsOver()) yield;
  }
  for (const item of list) {
    (keys.has(identity(item, mergeKey, kind)) ? inside : outside).push(item);
    if (sliceIsOver()) yield;
  }
  return [inside, outside];
}

function requireMergeKeys(mergeKey: string, list: readonly JsonValue[]): void {
  for (const item of list) {
    if (!isObject(item)) throw badArgument('object', item);
    if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
  }
}

/**
 * The order of a merged list: items of the patch in the patch's order, items that only the server has in the server's
 * order, both interleaved so that a server item stays before a patch item that followed it on the server.
 */
export function* orderMerged(
  [patchItems, serverOnly]: readonly [readonly JsonValue[], readonly JsonValue[]],
  patchOrder: readonly JsonValue[],
  serverOrder: readonly JsonValue[],
  mergeKey: string,
  kind: ItemKind,
): Steps<JsonValue[]> {
  const right = yield* sortByOrder(patchItems, patchOrder, mergeKey, kind);
  const left = yield* sortByOrder(serverOnly, serverOrder, mergeKey, kind);
  const place = yield* placesOf(serverOrder, mergeKey, kind);
  const result: JsonValue[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    const l = place.get(identity(left[i], mergeKey, kind));
    const r = place.get(identity(right[j], mergeKey, kind));
    const takeLeft = l !== undefined && r !== undefined && l < r;
    result.push((takeLeft ? left[i++] : right[j++]) ?? null);
    if (sliceIsOver()) yield;
  }
  return [...result, ...left.slice(i), ...right.slice(j)];
}

function* placesOf(order: readonly JsonValue[], mergeKey: string, kind: ItemKind): Steps<Map<string, number>> {
  const places = new Map<string, number>();
  for (const [i, item] of order.entries()) {
    const key = identity(item, mergeKey, kind);
    if (!places.has(key)) places.set(key, i);
    if (sliceIsOver()) yield;
  }
  return places;
}

/**
 * Sorts by a given order; items marked for deletion go last. Items that the order does not name move to the front, in
 * reverse.
 */
function* sortByOrder(
  list: readonly JsonValue[],
  order: readonly JsonValue[],
  mergeKey: string,
  kind: ItemKind,
): Steps<JsonValue[]> {
  if (kind === 'object') {
    requireMergeKeys(mergeKey, list);
    requireMergeKeys(mergeKey, order);
  }
  const places = yield* placesOf(order, mergeKey, kind);
  const deleted = list.filter((item) => isDeletion(item));
  const sorted: Placed[] = [];
  let least = Infinity;
  for (const item of list) {
    if (isDeletion(item)) continue;
    const place = places.get(identity(item, mergeKey, kind));
    if (place !== undefined) least = Math.min(least, place);
    sorted.push({ item, place: place ?? least, named: place !== undefined, at: sorted.length });
    if (sliceIsOver()) yield;
  }
  return [...(yield* sortInSteps(sorted, comparePlaces)).map((entry) => entry.item), ...deleted];
}

interface Placed {
  readonly item: JsonValue;
  readonly place: number;
  readonly named: boolean;
  readonly at: number;
}

/**
 * Gives the result of the reference's insertion sort, whose comparison is not consistent for unnamed items: an unnamed
 * item moves in front of all items before it; a later item that sorts before all of those goes in front of it.
 */
function comparePlaces(a: Placed, b: Placed): number {
  if (a.place !== b.place) return a.place - b.place;
  if (a.named !== b.named) return a.named ? 1 : -1;
  return a.named ? a.at - b.at : b.at - a.at;
}

function isDeletion(item: JsonValue): boolean {
  return isObject(item) && getKey(item, '$patch') === 'delete';
}
