import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { PathElement } from '#shared/apimachinery/schema/path-element.ts';
import {
  elementOfKey,
  noType,
  type ListView,
  type MapView,
  type TypeView,
} from '#shared/apimachinery/schema/type-view.ts';
import { equalValues } from '#shared/apimachinery/schema/value-order.ts';
import { isSliced, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { ChangeLevel, type Comparison, type ComparedSide, leafChange } from './change-level.ts';
import { checkScalars, compareAtOnce } from './compare-at-once.ts';
import { formOf, itemElement, narrowsAlike, undeclaredTypeText, ownValue, TypedWalk, type Form } from './typed-walk.ts';

/**
 * Compares two values of a type. Parts that are the same JavaScript object are skipped.
 * @throws TypedValueError where the values do not fit the type
 */
export function* compareTyped(before: JsonValue, after: JsonValue, type: TypeView): Steps<Comparison> {
  if (!isSliced()) return compareAtOnce(before, after, type);
  const walk = new TypedWalk();
  const level = new ChangeLevel(walk);
  for (const form of formsOf(type, before, after)) {
    const below = compareForm(form, type, before, after, level);
    if (typeof below === 'object') yield* below;
  }
  walk.finish();
  return {
    removed: yield* level.set('removed'),
    modified: yield* level.set('modified'),
    added: yield* level.set('added'),
  };
}

/**
 * Compares one pair of members. For lists and maps it returns the steps that compare their contents; the caller has to
 * run them.
 */
function compareAt(
  element: PathElement,
  type: TypeView,
  before: ComparedSide,
  after: ComparedSide,
  up: ChangeLevel,
): Steps<void> | undefined {
  if (type.map !== undefined || type.list !== undefined || type.scalar === undefined)
    return compareBelow(element, type, before, after, up);
  const { walk } = up;
  walk.enter(element);
  checkScalars(type, before, after, walk);
  const change = leafChange(before, after);
  if (change !== undefined) up.add(change, { element, member: true, children: undefined });
  walk.leave();
  return undefined;
}

/**
 * Uses one generator for a level and one for its list or map: the stack that a level takes limits how deep values may
 * be.
 */
function* compareBelow(
  element: PathElement,
  type: TypeView,
  before: ComparedSide,
  after: ComparedSide,
  up: ChangeLevel,
): Steps<void> {
  const { walk } = up;
  walk.enter(element);
  const level = new ChangeLevel(walk);
  let isLeaf = false;
  for (const form of formsOf(type, before, after)) {
    const below = compareForm(form, type, before, after, level);
    if (below === 'leaf') isLeaf = true;
    else if (below !== undefined) yield* below;
  }
  yield* level.raise(
    up,
    element,
    isLeaf || before === undefined || after === undefined ? leafChange(before, after) : undefined,
  );
  walk.leave();
}

/** The forms (scalar, list, map) of the two values; a single one if both have the same form. */
function formsOf(type: TypeView, before: ComparedSide, after: ComparedSide): (Form | undefined)[] {
  const present = after === undefined ? before : after;
  if (present === undefined) return [];
  const form = formOf(type, present);
  return before === undefined || after === undefined || narrowsAlike(type, before, after)
    ? [form]
    : [formOf(type, before), form];
}

/** `leaf` where the value is a leaf in this form; otherwise the steps that compare its contents, if it has any. */
function compareForm(
  form: Form | undefined,
  type: TypeView,
  before: ComparedSide,
  after: ComparedSide,
  level: ChangeLevel,
): Steps<void> | 'leaf' | undefined {
  if (form === 'scalar') return checkScalars(type, before, after, level.walk) ? 'leaf' : undefined;
  if (form === 'map' && type.map !== undefined) {
    const left = isObject(before) ? before : undefined;
    const right = isObject(after) ? after : undefined;
    if (type.map.atomic) return 'leaf';
    const keys = { left: keysOf(left), right: keysOf(right) };
    // Comparing empty maps as leaves distinguishes them from null.
    return keys.left.length === 0 && keys.right.length === 0 ? 'leaf' : compareMaps(type.map, keys, left, right, level);
  }
  if (form === 'list' && type.list !== undefined) {
    const left = Array.isArray(before) ? before : [];
    const right = Array.isArray(after) ? after : [];
    return type.list.atomic || (left.length === 0 && right.length === 0)
      ? 'leaf'
      : new ListComparison(type.list, level).run(left, right);
  }
  level.walk.error(undeclaredTypeText(type));
  return undefined;
}

const noKeys: readonly string[] = [];

function keysOf(object: JsonObject | undefined): readonly string[] {
  return object === undefined ? noKeys : Object.keys(object);
}

interface Keys {
  readonly left: readonly string[];
  readonly right: readonly string[];
}

function* compareMaps(
  map: MapView,
  keys: Keys,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  level: ChangeLevel,
): Steps<void> {
  for (const key of keys.left) {
    const below = compareMember(map, key, ownValue(before, key), ownValue(after, key), level);
    if (below !== undefined) yield* below;
    if (sliceIsOver()) yield;
  }
  for (const key of keys.right) {
    if (ownValue(before, key) !== undefined) continue;
    const below = compareMember(map, key, undefined, ownValue(after, key), level);
    if (below !== undefined) yield* below;
    if (sliceIsOver()) yield;
  }
}

function compareMember(
  map: MapView,
  key: string,
  before: ComparedSide,
  after: ComparedSide,
  level: ChangeLevel,
): Steps<void> | undefined {
  if (before === after) return undefined;
  const field = map.field(key);
  return compareAt(elementOfKey(field, key), field?.type ?? map.element ?? noType, before, after, level);
}

/** The items with the same element: usually one on each side. */
interface Items {
  readonly element: PathElement;
  readonly before: JsonValue[];
  readonly after: JsonValue[];
}

class ListComparison {
  readonly #list: ListView;
  readonly #level: ChangeLevel;
  readonly #items = new Map<string, Items>();

  constructor(list: ListView, level: ChangeLevel) {
    this.#list = list;
    this.#level = level;
  }

  *run(before: readonly JsonValue[], after: readonly JsonValue[]): Steps<void> {
    const left = yield* this.#singleElements(before);
    const right = left === undefined ? undefined : yield* this.#singleElements(after);
    if (left === undefined || right === undefined) yield* this.#runWithRepeats(before, after);
    else yield* this.#runSingles(before, left, after, right);
  }

  /** Elements of the items; undefined where an item has no element or an element repeats. */
  *#singleElements(list: readonly JsonValue[]): Steps<PathElement[] | undefined> {
    const elements: PathElement[] = [];
    const texts = new Set<string>();
    for (const item of list) {
      const element = itemElement(this.#list, item);
      if (typeof element === 'string' || texts.size === texts.add(element.text).size) return undefined;
      elements.push(element);
      if (sliceIsOver()) yield;
    }
    return elements;
  }

  *#runSingles(
    before: readonly JsonValue[],
    left: readonly PathElement[],
    after: readonly JsonValue[],
    right: readonly PathElement[],
  ): Steps<void> {
    const unmatched = new Map<string, number>();
    for (const [i, element] of right.entries()) {
      unmatched.set(element.text, i);
      if (sliceIsOver()) yield;
    }
    for (let i = 0; i < left.length; i++) {
      const element = left[i] as PathElement;
      const j = right[i]?.text === element.text ? i : unmatched.get(element.text);
      unmatched.delete(element.text);
      const below = this.#compareItem(element, before[i], j === undefined ? undefined : after[j]);
      if (below !== undefined) yield* below;
      if (sliceIsOver()) yield;
    }
    for (const j of unmatched.values()) {
      const below = this.#compareItem(right[j] as PathElement, undefined, after[j]);
      if (below !== undefined) yield* below;
      if (sliceIsOver()) yield;
    }
  }

  *#runWithRepeats(before: readonly JsonValue[], after: readonly JsonValue[]): Steps<void> {
    yield* this.#collect(before, 'before');
    yield* this.#collect(after, 'after');
    for (const items of this.#items.values()) {
      const below = this.#compare(items);
      if (below !== undefined) yield* below;
      if (sliceIsOver()) yield;
    }
  }

  *#collect(list: readonly JsonValue[], side: 'before' | 'after'): Steps<void> {
    for (let i = 0; i < list.length; i++) {
      if (sliceIsOver()) yield;
      const item = list[i] as JsonValue;
      const element = itemElement(this.#list, item);
      if (typeof element === 'string') {
        this.#level.walk.error(`element ${i}: ${element}`);
        continue;
      }
      let items = this.#items.get(element.text);
      if (items === undefined) this.#items.set(element.text, (items = { element, before: [], after: [] }));
      items[side].push(item);
    }
  }

  /** Repeated items count as one leaf; an item is compared field by field only on a side that has it once. */
  #compare({ element, before, after }: Items): Steps<void> | undefined {
    const change =
      before.length > 1 ? (after.length > 1 ? 'modified' : 'removed') : after.length > 1 ? 'added' : undefined;
    if (change === undefined) return this.#compareItem(element, before[0], after[0]);
    if (change !== 'modified' || !equalValues(before, after))
      this.#level.add(change, { element, member: true, children: undefined });
    if (change === 'removed' && after.length > 0) return this.#compareItem(element, undefined, after[0]);
    return change === 'added' && before.length > 0 ? this.#compareItem(element, before[0], undefined) : undefined;
  }

  #compareItem(element: PathElement, before: ComparedSide, after: ComparedSide): Steps<void> | undefined {
    return before === after ? undefined : compareAt(element, this.#list.items, before, after, this.#level);
  }
}
