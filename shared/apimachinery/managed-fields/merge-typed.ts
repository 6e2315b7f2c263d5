import { shallowCopyInSteps } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { PathElement } from '#shared/apimachinery/schema/path-element.ts';
import {
  elementOfKey,
  noType,
  type ListView,
  type MapView,
  type TypeView,
} from '#shared/apimachinery/schema/type-view.ts';
import { doneWith, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { MapMerge, type MergeSide, areScalarsOnly, listParts, mapParts } from './merge-parts.ts';
import type { TypedValue } from './typed-value.ts';
import {
  formOf,
  itemElement,
  narrowsAlike,
  undeclaredTypeText,
  ownValue,
  scalarError,
  TypedWalk,
  type Form,
} from './typed-walk.ts';

/**
 * Merges `applied` into `live`; nothing is removed. A list keeps its order if none of its items change; otherwise
 * common items come in the order of `applied`. The result shares parts with both.
 * @throws TypedValueError where the values do not fit the type, or items of a list in `applied` repeat
 */
export function* mergeTyped(live: TypedValue, applied: JsonValue): Steps<TypedValue> {
  const walk = new TypedWalk();
  const value = yield* mergeForms(live.type, live.value, applied, walk);
  walk.finish();
  return { value: value ?? null, type: live.type };
}

function mergeForms(type: TypeView, live: MergeSide, applied: MergeSide, walk: TypedWalk): Steps<MergeSide> {
  const present = applied === undefined ? live : applied;
  if (present === undefined) return doneWith(undefined);
  return applied === undefined || live === undefined || narrowsAlike(type, live, applied)
    ? mergeForm(formOf(type, present), type, live, applied, walk)
    : mergeBothForms(type, live, applied, walk);
}

/** Checks values of different forms both; the applied value wins. */
function* mergeBothForms(type: TypeView, live: JsonValue, applied: JsonValue, walk: TypedWalk): Steps<MergeSide> {
  yield* mergeForm(formOf(type, live), type, live, applied, walk);
  return yield* mergeForm(formOf(type, applied), type, live, applied, walk);
}

function mergeForm(
  form: Form | undefined,
  type: TypeView,
  live: MergeSide,
  applied: MergeSide,
  walk: TypedWalk,
): Steps<MergeSide> {
  if (form === 'scalar' && type.scalar !== undefined) {
    const left = scalarError(type.scalar, live);
    const right = left === undefined ? undefined : scalarError(type.scalar, applied);
    if (left === undefined || right === undefined) return doneWith(applied === undefined ? live : applied);
    walk.error(`lhs: ${left}`);
    walk.error(`rhs: ${right}`);
    return doneWith(undefined);
  }
  if (form === 'map' && type.map !== undefined) {
    const parts = mapParts(type, live, applied);
    if (parts === undefined) return doneWith(applied === undefined ? live : applied);
    return mergeMaps(parts.map, parts.left, parts.right, walk);
  }
  if (form === 'list' && type.list !== undefined) {
    const parts = listParts(type, live, applied);
    if (parts === undefined) return doneWith(applied === undefined ? live : applied);
    return new ListMerge(parts.list, walk).run(parts.left, parts.right);
  }
  walk.error(undeclaredTypeText(type));
  return doneWith(undefined);
}

const noObject: JsonObject = {};

function* mergeMaps(
  map: MapView,
  live: JsonObject | undefined,
  applied: JsonObject | undefined,
  walk: TypedWalk,
): Steps<MergeSide> {
  const merge = new MapMerge(live);
  for (const side of [live, applied]) {
    for (const key of Object.keys(side ?? noObject)) {
      const left = ownValue(live, key);
      if (side !== live && left !== undefined) continue;
      const right = ownValue(applied, key);
      const field = map.field(key);
      const type = field?.type ?? map.element ?? noType;
      let merged = right ?? left;
      if (!areScalarsOnly(type, left, right)) {
        walk.enter(elementOfKey(field, key));
        merged = yield* mergeForms(type, left, right, walk);
        walk.leave();
      }
      if (merged !== left && live !== undefined && merge.isLive) merge.writeTo(yield* shallowCopyInSteps(live));
      merge.take(key, left, merged);
      if (sliceIsOver()) yield;
    }
  }
  return merge.result();
}

interface IndexedList {
  readonly elements: readonly PathElement[];
  /** First item of each element; null for items that repeat. */
  readonly items: ReadonlyMap<string, JsonValue>;
}

/** An item on each side; one of them may be absent. */
interface Pair {
  readonly element: PathElement;
  readonly item: MergeSide;
  readonly other: MergeSide;
}

class ListMerge {
  readonly #list: ListView;
  readonly #walk: TypedWalk;

  constructor(list: ListView, walk: TypedWalk) {
    this.#list = list;
    this.#walk = walk;
  }

  *run(live: readonly JsonValue[], applied: readonly JsonValue[]): Steps<MergeSide> {
    const errorsBefore = this.#walk.errors.length;
    const right = yield* this.#index(applied, false);
    const left = yield* this.#index(live, true);
    if (this.#walk.errors.length > errorsBefore) return undefined;
    const out: JsonValue[] = [];
    for (const { element, item, other } of this.#pairs(live, left, right)) {
      this.#walk.enter(element);
      const value = yield* mergeForms(this.#list.items, item, other, this.#walk);
      this.#walk.leave();
      if (value !== undefined) out.push(value);
      if (sliceIsOver()) yield;
    }
    // Violations below items of lists are ignored, as in the reference.
    this.#walk.errors.length = errorsBefore;
    if (out.length === 0) return undefined;
    return out.length === live.length && out.every((item, i) => item === live[i]) ? (live as JsonValue[]) : out;
  }

  /** Walks both lists: common items come in the order of the applied list, other items after their neighbours. */
  *#pairs(live: readonly JsonValue[], left: IndexedList, right: IndexedList): Generator<Pair> {
    const shared = right.elements.filter(({ text }) => left.items.has(text));
    let nextShared = 0;
    const merged = new Set<string>();
    const both = (element: PathElement): Pair => {
      merged.add(element.text);
      return { element, item: left.items.get(element.text), other: right.items.get(element.text) };
    };
    let i = 0;
    let j = 0;
    while (i < left.elements.length || j < right.elements.length) {
      const mine = left.elements[i];
      const theirs = right.elements[j];
      if (mine !== undefined && theirs !== undefined) {
        if (mine.text === theirs.text) {
          yield both(mine);
          i++;
          j++;
          nextShared++;
          continue;
        }
        const next = shared[nextShared];
        if (next !== undefined && next.text !== mine.text && right.items.has(mine.text)) {
          // Both lists have the item, but another shared item comes before it in the applied list.
          i++;
          continue;
        }
      }
      if (mine !== undefined) {
        if (!right.items.has(mine.text)) {
          yield { element: mine, item: live[i], other: undefined };
          i++;
          continue;
        }
        if (merged.has(mine.text)) i++;
      }
      if (theirs !== undefined) {
        yield both(theirs);
        if (shared[nextShared]?.text === theirs.text) nextShared++;
        j++;
      }
    }
  }

  *#index(list: readonly JsonValue[], mayRepeat: boolean): Steps<IndexedList> {
    const elements: PathElement[] = [];
    const items = new Map<string, JsonValue>();
    for (let i = 0; i < list.length; i++) {
      if (sliceIsOver()) yield;
      const item = list[i] as JsonValue;
      const element = itemElement(this.#list, item);
      if (typeof element === 'string') this.#walk.error(`element ${i}: ${element}`);
      else if (items.has(element.text) && !mayRepeat)
        this.#walk.error(`duplicate entries for key ${element.toString()}`);
      else {
        // Repeated items become null: no applied item is merged into them.
        items.set(element.text, items.has(element.text) ? null : item);
        elements.push(element);
      }
    }
    return { elements, items };
  }
}
