import { isObject, setKey, type JsonObject, type JsonValue } from '../json.ts';
import type { PathElement } from './path-element.ts';
import { elementOfKey, noType, type ListView, type MapView, type TypeView } from './type-view.ts';
import type { TypedValue } from './typed-value.ts';
import { formOf, itemElement, narrowsAlike, noFormText, ownValue, scalarError, TypedWalk, unionOfKeys, type Form } from './typed-walk.ts';

/**
 * `live` with everything that `applied` says. Nothing is taken away. A list stays in its order if nothing in it changes;
 * what both have comes in the order of `applied`. Shares parts with both.
 * @throws TypedValueError where the values do not fit the type, or items of a list in `applied` repeat
 */
export function mergeTyped(live: TypedValue, applied: JsonValue): TypedValue {
  const walk = new TypedWalk();
  const value = mergeForms(live.type, live.value, applied, walk);
  walk.finish();
  return { value: value ?? null, type: live.type };
}

type Maybe = JsonValue | undefined;

function mergeAt(element: PathElement, type: TypeView, live: Maybe, applied: Maybe, walk: TypedWalk): Maybe {
  walk.enter(element);
  const merged = mergeForms(type, live, applied, walk);
  walk.leave();
  return merged;
}

function mergeForms(type: TypeView, live: Maybe, applied: Maybe, walk: TypedWalk): Maybe {
  if (applied === undefined) return live === undefined ? undefined : mergeForm(formOf(type, live), type, live, undefined, walk);
  // Values of different forms are both checked; what is applied wins.
  if (live !== undefined && !narrowsAlike(type, live, applied)) mergeForm(formOf(type, live), type, live, applied, walk);
  return mergeForm(formOf(type, applied), type, live, applied, walk);
}

function mergeForm(form: Form | undefined, type: TypeView, live: Maybe, applied: Maybe, walk: TypedWalk): Maybe {
  if (form === 'scalar' && type.scalar !== undefined) {
    const left = scalarError(type.scalar, live);
    const right = left === undefined ? undefined : scalarError(type.scalar, applied);
    if (left === undefined || right === undefined) return applied === undefined ? live : applied;
    walk.error(`lhs: ${left}`);
    walk.error(`rhs: ${right}`);
    return undefined;
  }
  if (form === 'map' && type.map !== undefined) {
    const left = isObject(live) ? live : undefined;
    const right = isObject(applied) ? applied : undefined;
    if (type.map.atomic || (isEmpty(left) && isEmpty(right))) return applied === undefined ? live : applied;
    return mergeMaps(type.map, left, right, walk);
  }
  if (form === 'list' && type.list !== undefined) {
    const left = Array.isArray(live) ? live : [];
    const right = Array.isArray(applied) ? applied : [];
    if (type.list.atomic || (left.length === 0 && right.length === 0)) return applied === undefined ? live : applied;
    return new ListMerge(type.list, walk).run(left, right);
  }
  walk.error(noFormText(type));
  return undefined;
}

/** Neither side is null or of a wrong type: most fields. */
function isPlainScalar({ scalar, list, map }: TypeView, left: Maybe, right: Maybe): boolean {
  return scalar !== undefined && list === undefined && map === undefined && right !== null && scalarError(scalar, left) === undefined && scalarError(scalar, right) === undefined;
}

function isEmpty(object: JsonObject | undefined): boolean {
  return object === undefined || Object.keys(object).length === 0;
}

function mergeMaps(map: MapView, live: JsonObject | undefined, applied: JsonObject | undefined, walk: TypedWalk): Maybe {
  let out: JsonObject | undefined = live === undefined ? {} : undefined;
  for (const key of unionOfKeys(live, applied)) {
    const left = ownValue(live, key);
    const right = ownValue(applied, key);
    const field = map.field(key);
    const type = field?.type ?? map.element ?? noType;
    const merged = isPlainScalar(type, left, right) ? (right ?? left) : mergeAt(elementOfKey(field, key), type, left, right, walk);
    if (merged === left) continue;
    out ??= { ...live };
    if (merged === undefined) delete out[key];
    else setKey(out, key, merged);
  }
  if (out === undefined) return live;
  return isEmpty(out) ? undefined : out;
}

interface IndexedList {
  readonly elements: readonly PathElement[];
  /** First item of each element; null for items that repeat. */
  readonly items: ReadonlyMap<string, JsonValue>;
}

class ListMerge {
  readonly #list: ListView;
  readonly #walk: TypedWalk;

  constructor(list: ListView, walk: TypedWalk) {
    this.#list = list;
    this.#walk = walk;
  }

  run(live: readonly JsonValue[], applied: readonly JsonValue[]): Maybe {
    const errorsBefore = this.#walk.errors.length;
    const right = this.#index(applied, false);
    const left = this.#index(live, true);
    if (this.#walk.errors.length > errorsBefore) return undefined;
    const out = this.#merge(live, left, right);
    // Violations below items of lists pass, as in the reference.
    this.#walk.errors.length = errorsBefore;
    if (out.length === 0) return undefined;
    return out.length === live.length && out.every((item, i) => item === live[i]) ? (live as JsonValue[]) : out;
  }

  /** Walks both lists; items that both have keep the order of the applied list, others stay behind their neighbours. */
  #merge(live: readonly JsonValue[], left: IndexedList, right: IndexedList): JsonValue[] {
    const shared = right.elements.filter(({ text }) => left.items.has(text));
    let nextShared = 0;
    const merged = new Set<string>();
    const out: JsonValue[] = [];
    const take = (element: PathElement, item: Maybe, other: Maybe): void => {
      const value = mergeAt(element, this.#list.items, item, other, this.#walk);
      if (value !== undefined) out.push(value);
    };
    const takeRight = (element: PathElement): void => {
      merged.add(element.text);
      take(element, left.items.get(element.text), right.items.get(element.text));
      if (shared[nextShared]?.text === element.text) nextShared++;
    };
    let i = 0;
    let j = 0;
    while (i < left.elements.length || j < right.elements.length) {
      const mine = left.elements[i];
      const theirs = right.elements[j];
      if (mine !== undefined && theirs !== undefined) {
        if (mine.text === theirs.text) {
          merged.add(mine.text);
          take(mine, left.items.get(mine.text), right.items.get(mine.text));
          i++;
          j++;
          nextShared++;
          continue;
        }
        const next = shared[nextShared];
        if (next !== undefined && next.text !== mine.text && right.items.has(mine.text)) {
          // Both have it, but its turn comes later.
          i++;
          continue;
        }
      }
      if (mine !== undefined) {
        if (!right.items.has(mine.text)) {
          take(mine, live[i], undefined);
          i++;
          continue;
        }
        if (merged.has(mine.text)) i++;
      }
      if (theirs !== undefined) {
        takeRight(theirs);
        j++;
      }
    }
    return out;
  }

  #index(list: readonly JsonValue[], mayRepeat: boolean): IndexedList {
    const elements: PathElement[] = [];
    const items = new Map<string, JsonValue>();
    for (let i = 0; i < list.length; i++) {
      const item = list[i] as JsonValue;
      const element = itemElement(this.#list, item);
      if (typeof element === 'string') this.#walk.error(`element ${i}: ${element}`);
      else if (items.has(element.text) && !mayRepeat) this.#walk.error(`duplicate entries for key ${element.toString()}`);
      else {
        // Items that repeat are not merged with.
        items.set(element.text, items.has(element.text) ? null : item);
        elements.push(element);
      }
    }
    return { elements, items };
  }
}
