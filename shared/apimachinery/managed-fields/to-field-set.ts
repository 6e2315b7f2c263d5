import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { PathElement } from '#shared/apimachinery/schema/path-element.ts';
import {
  elementOfKey,
  noType,
  type ListView,
  type MapView,
  type TypeView,
} from '#shared/apimachinery/schema/type-view.ts';
import { doneWith, isSliced, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { FieldSet, type SetEntry } from './field-set.ts';
import type { TypedValue } from './typed-value.ts';
import { formOf, itemElement, undeclaredTypeText, TypedWalk } from './typed-walk.ts';

/**
 * Every leaf and every list item of a value.
 * @throws TypedValueError for fields that the type does not have
 */
export function* toFieldSet({ value, type }: TypedValue): Steps<FieldSet> {
  const walk = new TypedWalk();
  const level = levelOf(type, value, walk);
  const set = level === 'leaf' ? FieldSet.empty : yield* level;
  walk.finish();
  return set;
}

/** A value is one leaf, or the set of the paths below it (empty for an empty list). */
type Level = FieldSet | 'leaf';

function levelOf(type: TypeView, value: JsonValue, walk: TypedWalk): Steps<FieldSet> | 'leaf' {
  const form = formOf(type, value);
  if (form === 'scalar') return 'leaf';
  if (form === 'map' && type.map !== undefined)
    return type.map.atomic ? 'leaf' : isObject(value) ? setOfMap(type.map, value, walk) : doneWith(FieldSet.empty);
  if (form === 'list' && type.list !== undefined)
    return type.list.atomic
      ? 'leaf'
      : Array.isArray(value)
        ? setOfList(type.list, value, walk)
        : doneWith(FieldSet.empty);
  walk.error(undeclaredTypeText(type));
  return doneWith(FieldSet.empty);
}

function* setOfMap(map: MapView, value: JsonObject, walk: TypedWalk): Steps<FieldSet> {
  const entries: SetEntry[] = [];
  for (const key of Object.keys(value)) {
    const field = map.field(key);
    const element = elementOfKey(field, key);
    const member = value[key] as JsonValue;
    walk.enter(element);
    const level = levelOf(field?.type ?? map.element ?? noType, member, walk);
    addMember(entries, element, level === 'leaf' ? level : yield* level, field, member);
    walk.leave();
    if (sliceIsOver()) yield;
  }
  return isSliced() ? yield* FieldSet.ofEntries(entries) : FieldSet.ofEntriesNow(entries);
}

function addMember(entries: SetEntry[], element: PathElement, level: Level, field: unknown, member: JsonValue): void {
  // The test for an empty object comes last: it lists the keys, which takes long for a large map.
  add(
    entries,
    element,
    level,
    field === undefined || member === null || (level !== 'leaf' && level.isEmpty && isEmptyObject(member)),
  );
}

function* setOfList(list: ListView, value: readonly JsonValue[], walk: TypedWalk): Steps<FieldSet> {
  const items = new ListItems(list);
  for (const item of value) {
    items.count(item);
    if (sliceIsOver()) yield;
  }
  const entries: SetEntry[] = [];
  for (const [i, element] of items.elements.entries()) {
    if (element === undefined || !items.isSingle(element, entries)) continue;
    walk.enter(element);
    const level = levelOf(list.items, value[i] as JsonValue, walk);
    add(entries, element, level === 'leaf' ? level : yield* level, true);
    walk.leave();
    if (sliceIsOver()) yield;
  }
  return isSliced() ? yield* FieldSet.ofEntries(entries) : FieldSet.ofEntriesNow(entries);
}

/** The elements of a list's items, and how many items each of them has. */
class ListItems {
  /** Undefined for items without an element, which validation refused. */
  readonly elements: (PathElement | undefined)[] = [];
  readonly #list: ListView;
  readonly #counts = new Map<string, number>();

  constructor(list: ListView) {
    this.#list = list;
  }

  count(item: JsonValue): void {
    const element = itemElement(this.#list, item);
    this.elements.push(typeof element === 'string' ? undefined : element);
    if (typeof element !== 'string') this.#counts.set(element.text, (this.#counts.get(element.text) ?? 0) + 1);
  }

  /** Whether no other item has the element. Repeated items get one entry for all: only their existence is owned. */
  isSingle(element: PathElement, entries: SetEntry[]): boolean {
    const count = this.#counts.get(element.text);
    if (count === undefined || count === 1) return count === 1;
    this.#counts.delete(element.text);
    entries.push({ element, member: true, children: undefined });
    return false;
  }
}

function add(entries: SetEntry[], element: PathElement, level: Level, isMember: boolean): void {
  const children = level === 'leaf' || level.isEmpty ? undefined : level;
  const member = isMember || level === 'leaf';
  if (member || children !== undefined) entries.push({ element, member, children });
}

function isEmptyObject(value: JsonValue): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
