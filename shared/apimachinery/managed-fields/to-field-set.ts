import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import { FieldSet, type SetEntry } from './field-set.ts';
import type { PathElement } from './path-element.ts';
import { elementOfKey, noType, type ListView, type MapView, type TypeView } from './type-view.ts';
import type { TypedValue } from './typed-value.ts';
import { formOf, itemElement, noFormText, TypedWalk } from './typed-walk.ts';

/**
 * Every leaf and every list item of a value.
 * @throws TypedValueError for fields that the type does not have
 */
export function toFieldSet({ value, type }: TypedValue): FieldSet {
  const walk = new TypedWalk();
  const set = levelOf(type, value, walk);
  walk.finish();
  return typeof set === 'string' ? FieldSet.empty : set;
}

/** A value is one leaf, or what is below it (nothing, for an empty list). */
type Level = FieldSet | 'leaf';

function levelOf(type: TypeView, value: JsonValue, walk: TypedWalk): Level {
  const form = formOf(type, value);
  if (form === 'scalar') return 'leaf';
  if (form === 'map' && type.map !== undefined) return type.map.atomic ? 'leaf' : isObject(value) ? setOfMap(type.map, value, walk) : FieldSet.empty;
  if (form === 'list' && type.list !== undefined) return type.list.atomic ? 'leaf' : Array.isArray(value) ? setOfList(type.list, value, walk) : FieldSet.empty;
  walk.error(noFormText(type));
  return FieldSet.empty;
}

function setOfMap(map: MapView, value: JsonObject, walk: TypedWalk): FieldSet {
  const entries: SetEntry[] = [];
  for (const key of Object.keys(value)) {
    const field = map.field(key);
    const element = elementOfKey(field, key);
    const member = value[key] as JsonValue;
    walk.enter(element);
    const level = levelOf(field?.type ?? map.element ?? noType, member, walk);
    walk.leave();
    add(entries, element, level, field === undefined || member === null || isEmptyObject(member));
  }
  return FieldSet.ofEntries(entries);
}

function setOfList(list: ListView, value: readonly JsonValue[], walk: TypedWalk): FieldSet {
  const elements = value.map((item) => itemElement(list, item));
  const counts = new Map<string, number>();
  for (const element of elements) if (typeof element !== 'string') counts.set(element.text, (counts.get(element.text) ?? 0) + 1);
  const entries: SetEntry[] = [];
  elements.forEach((element, i) => {
    // Items without an element were refused by validation.
    if (typeof element === 'string') return;
    const count = counts.get(element.text);
    if (count === undefined) return;
    if (count > 1) {
      // Of items that repeat only the fact that they are there is owned.
      counts.delete(element.text);
      entries.push({ element, member: true, children: undefined });
      return;
    }
    walk.enter(element);
    const level = levelOf(list.items, value[i] as JsonValue, walk);
    walk.leave();
    add(entries, element, level, true);
  });
  return FieldSet.ofEntries(entries);
}

function add(entries: SetEntry[], element: PathElement, level: Level, isMember: boolean): void {
  const children = level === 'leaf' || level.isEmpty ? undefined : level;
  const member = isMember || level === 'leaf';
  if (member || children !== undefined) entries.push({ element, member, children });
}

function isEmptyObject(value: JsonValue): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
