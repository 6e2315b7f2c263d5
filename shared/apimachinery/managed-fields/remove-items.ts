import { isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { PathElement } from '#shared/apimachinery/schema/path-element.ts';
import {
  elementOfKey,
  noType,
  type ListView,
  type MapView,
  type TypeView,
} from '#shared/apimachinery/schema/type-view.ts';
import type { FieldSet } from './field-set.ts';
import type { TypedValue } from './typed-value.ts';
import { formOf, itemElement } from './typed-walk.ts';

/** The value without the fields and list items of a set. Lists and maps that are left empty become null. */
export function removeItems(typed: TypedValue, items: FieldSet): TypedValue {
  if (items.isEmpty) return typed;
  return { value: walkValue(typed.type, typed.value, items), type: typed.type };
}

function walkValue(type: TypeView, value: JsonValue, items: FieldSet): JsonValue {
  const form = formOf(type, value);
  if (form === 'map' && type.map !== undefined && isObject(value)) {
    if (type.map.atomic || Object.keys(value).length === 0) return null;
    return walkMap(type.map, value, items);
  }
  if (form === 'list' && type.list !== undefined && Array.isArray(value)) {
    if (type.list.atomic || value.length === 0) return null;
    return walkList(type.list, value, items);
  }
  return form === 'scalar' ? value : null;
}

function walkMap(map: MapView, value: JsonObject, items: FieldSet): JsonValue {
  const out: JsonObject = {};
  let count = 0;
  for (const key of Object.keys(value)) {
    const field = map.field(key);
    const kept = walkKey(
      field?.type ?? map.element ?? noType,
      value[key] as JsonValue,
      elementOfKey(field, key),
      items,
    );
    if (kept === undefined) continue;
    setKey(out, key, kept);
    count++;
  }
  return count === 0 ? null : out;
}

function walkKey(type: TypeView, value: JsonValue, element: PathElement, items: FieldSet): JsonValue | undefined {
  const entry = items.entry(element);
  if (entry === undefined) return value;
  if (entry.member) return undefined;
  return entry.children === undefined ? value : walkValue(type, value, entry.children);
}

function walkList(list: ListView, value: readonly JsonValue[], items: FieldSet): JsonValue {
  const out: JsonValue[] = [];
  for (const item of value) {
    const element = itemElement(list, item);
    const entry = typeof element === 'string' ? undefined : items.entry(element);
    if (entry?.member === true) continue;
    out.push(entry?.children === undefined ? item : walkValue(list.items, item, entry.children));
  }
  return out.length === 0 ? null : out;
}
