import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { PathElement } from '#shared/apimachinery/schema/path-element.ts';
import {
  elementOfKey,
  noType,
  type ListView,
  type MapView,
  type TypeView,
} from '#shared/apimachinery/schema/type-view.ts';
import { equalValues } from '#shared/apimachinery/schema/value-order.ts';
import { ChangeLevel, leafChange, type ComparedSide, type Comparison } from './change-level.ts';
import {
  formOf,
  hasElement,
  itemElement,
  narrowsAlike,
  ownValue,
  scalarError,
  TypedWalk,
  undeclaredTypeText,
  type Form,
} from './typed-walk.ts';
import { isNoted } from './written-lists.ts';

// What `compare-typed.ts` does in steps. Every write of an object compares it, and most objects are small.

/** As `compareTyped`, at once. */
export function compareAtOnce(before: JsonValue, after: JsonValue, type: TypeView): Comparison {
  const walk = new TypedWalk();
  const level = new ChangeLevel(walk);
  compareForms(type, before, after, level);
  walk.finish();
  return { removed: level.setNow('removed'), modified: level.setNow('modified'), added: level.setNow('added') };
}

/** Reports errors only if both sides are of a wrong type; returns whether at least one fits. */
export function checkScalars(
  { scalar }: TypeView,
  before: ComparedSide,
  after: ComparedSide,
  walk: TypedWalk,
): boolean {
  if (scalar === undefined) return false;
  const left = scalarError(scalar, before);
  if (left === undefined) return true;
  const right = scalarError(scalar, after);
  if (right === undefined) return true;
  walk.error(`lhs: ${left}`);
  walk.error(`rhs: ${right}`);
  return false;
}

/** Down to this depth, parts that are the same are looked for first. Deeper, that would be work without a bound. */
const deepestSearch = 8;

function compareAt(
  element: PathElement,
  type: TypeView,
  before: ComparedSide,
  after: ComparedSide,
  up: ChangeLevel,
): void {
  const { walk } = up;
  walk.enter(element);
  if (type.map !== undefined || type.list !== undefined || type.scalar === undefined) {
    const level = new ChangeLevel(walk);
    const isLeaf = compareForms(type, before, after, level);
    const own = isLeaf || before === undefined || after === undefined ? leafChange(before, after) : undefined;
    level.raiseNow(up, element, own);
  } else {
    checkScalars(type, before, after, walk);
    const change = leafChange(before, after);
    if (change !== undefined) up.add(change, { element, member: true, children: undefined });
  }
  walk.leave();
}

/** Compares two values in each of their forms; returns whether they are leaves in one. */
function compareForms(type: TypeView, before: ComparedSide, after: ComparedSide, level: ChangeLevel): boolean {
  const present = after === undefined ? before : after;
  if (present === undefined) return false;
  const form = formOf(type, present);
  if (before === undefined || after === undefined || narrowsAlike(type, before, after))
    return compareForm(form, type, before, after, level);
  const isLeaf = compareForm(formOf(type, before), type, before, after, level);
  return compareForm(form, type, before, after, level) || isLeaf;
}

function compareForm(
  form: Form | undefined,
  type: TypeView,
  before: ComparedSide,
  after: ComparedSide,
  level: ChangeLevel,
): boolean {
  if (form === 'scalar') return checkScalars(type, before, after, level.walk);
  if (form === 'map' && type.map !== undefined) {
    const left = isObject(before) ? before : noMembers;
    const right = isObject(after) ? after : noMembers;
    // Comparing empty maps as leaves distinguishes them from null.
    if (type.map.atomic || (isEmpty(left) && isEmpty(right))) return true;
    compareMaps(type.map, left, right, level);
    return false;
  }
  if (form === 'list' && type.list !== undefined) {
    const left = Array.isArray(before) ? before : noItems;
    const right = Array.isArray(after) ? after : noItems;
    if (type.list.atomic || (left.length === 0 && right.length === 0)) return true;
    compareLists(type.list, left, right, level);
    return false;
  }
  level.walk.error(undeclaredTypeText(type));
  return false;
}

const noMembers: JsonObject = Object.freeze({});
const noItems: readonly JsonValue[] = [];

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}

function compareMaps(map: MapView, before: JsonObject, after: JsonObject, level: ChangeLevel): void {
  for (const key of Object.keys(before)) compareMember(map, key, ownValue(before, key), ownValue(after, key), level);
  for (const key of Object.keys(after)) {
    if (ownValue(before, key) === undefined) compareMember(map, key, undefined, ownValue(after, key), level);
  }
}

function compareMember(map: MapView, key: string, before: ComparedSide, after: ComparedSide, level: ChangeLevel): void {
  if (before === after) return;
  const field = map.field(key);
  const type = field?.type ?? map.element ?? noType;
  if (!isFoundSame(type, before, after, level)) compareAt(elementOfKey(field, key), type, before, after, level);
}

function isFoundSame(type: TypeView, before: ComparedSide, after: ComparedSide, { walk }: ChangeLevel): boolean {
  return walk.depth < deepestSearch && before !== undefined && after !== undefined && isSame(type, before, after);
}

/** Whether a comparison of two values finds neither a change nor an error. Some that are the same are not found. */
function isSame(type: TypeView, before: JsonValue, after: JsonValue): boolean {
  if (before === after) return true;
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return false;
  if (Array.isArray(before)) return Array.isArray(after) && areSame(type.list, before, after);
  const { map } = type;
  if (map === undefined || Array.isArray(after)) return false;
  if (map.atomic) return equalValues(before, after);
  let count = 0;
  for (const key of Object.keys(before)) {
    const [left, right] = [before[key] as JsonValue, getKey(after, key)];
    if (right === undefined) return false;
    if (left !== right && !isSame(map.field(key)?.type ?? map.element ?? noType, left, right)) return false;
    count++;
  }
  return count === Object.keys(after).length;
}

function areSame(list: ListView | undefined, before: readonly JsonValue[], after: JsonValue[]): boolean {
  if (list === undefined || before.length !== after.length || isNoted(after)) return false;
  if (list.atomic) return equalValues(before as JsonValue[], after);
  for (let i = 0; i < after.length; i++) {
    const item = after[i] as JsonValue;
    if (!hasElement(list, item) || !isSame(list.items, before[i] as JsonValue, item)) return false;
  }
  return true;
}

function compareLists(
  list: ListView,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  level: ChangeLevel,
): void {
  const left = singleElements(list, before);
  const right = left === undefined ? undefined : singleElements(list, after);
  if (left === undefined || right === undefined) compareWithRepeats(list, before, after, level);
  else compareSingles(list, { items: before, elements: left }, { items: after, elements: right }, level);
}

/** Elements of the items by their texts; undefined where an item has no element or an element repeats. */
function singleElements(list: ListView, items: readonly JsonValue[]): Map<string, PathElement> | undefined {
  const elements = new Map<string, PathElement>();
  for (let i = 0; i < items.length; i++) {
    const element = itemElement(list, items[i] as JsonValue);
    if (typeof element === 'string') return undefined;
    elements.set(element.text, element);
    if (elements.size <= i) return undefined;
  }
  return elements;
}

/** A list in which each element is there once, with the elements in the order of the items. */
interface Singles {
  readonly items: readonly JsonValue[];
  readonly elements: ReadonlyMap<string, PathElement>;
}

function compareSingles(list: ListView, before: Singles, after: Singles, level: ChangeLevel): void {
  const items = new Map<string, JsonValue | undefined>();
  let place = 0;
  for (const text of after.elements.keys()) items.set(text, after.items[place++]);
  place = 0;
  for (const [text, element] of before.elements)
    compareItem(list, element, before.items[place++], items.get(text), level);
  for (const [text, element] of after.elements)
    if (!before.elements.has(text)) compareItem(list, element, undefined, items.get(text), level);
}

function compareItem(
  list: ListView,
  element: PathElement,
  before: ComparedSide,
  after: ComparedSide,
  level: ChangeLevel,
): void {
  if (before === after || isFoundSame(list.items, before, after, level)) return;
  compareAt(element, list.items, before, after, level);
}

/** The items with the same element: usually one on each side. */
interface Items {
  readonly element: PathElement;
  readonly before: JsonValue[];
  readonly after: JsonValue[];
}

function compareWithRepeats(
  list: ListView,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  level: ChangeLevel,
): void {
  const byText = new Map<string, Items>();
  collect(list, before, 'before', byText, level);
  collect(list, after, 'after', byText, level);
  for (const items of byText.values()) compareRepeated(list, items, level);
}

function collect(
  list: ListView,
  items: readonly JsonValue[],
  side: 'before' | 'after',
  byText: Map<string, Items>,
  { walk }: ChangeLevel,
): void {
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as JsonValue;
    const element = itemElement(list, item);
    if (typeof element === 'string') {
      walk.error(`element ${i}: ${element}`);
      continue;
    }
    let known = byText.get(element.text);
    if (known === undefined) byText.set(element.text, (known = { element, before: [], after: [] }));
    known[side].push(item);
  }
}

/** Repeated items count as one leaf; an item is compared field by field only on a side that has it once. */
function compareRepeated(list: ListView, { element, before, after }: Items, level: ChangeLevel): void {
  const change =
    before.length > 1 ? (after.length > 1 ? 'modified' : 'removed') : after.length > 1 ? 'added' : undefined;
  if (change === undefined) return compareItem(list, element, before[0], after[0], level);
  if (change !== 'modified' || !equalValues(before, after))
    level.add(change, { element, member: true, children: undefined });
  if (change === 'removed' && after.length > 0) compareItem(list, element, undefined, after[0], level);
  if (change === 'added' && before.length > 0) compareItem(list, element, before[0], undefined, level);
}
