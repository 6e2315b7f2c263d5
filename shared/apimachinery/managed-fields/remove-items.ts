import { isObject, setKey, type JsonObject, type JsonValue } from '../json.ts';
import { FieldSet } from './field-set.ts';
import type { PathElement } from './path-element.ts';
import { toFieldSet } from './to-field-set.ts';
import { elementOfKey, noType, type ListView, type MapView, type TypeView } from './type-view.ts';
import type { TypedValue } from './typed-value.ts';
import { formOf, itemElement } from './typed-walk.ts';

/** The value without the fields and list items of a set. What is left empty becomes null. */
export function removeItems(typed: TypedValue, items: FieldSet): TypedValue {
  if (items.isEmpty) return typed;
  return { value: walkValue(typed.type, typed.value, items, 'remove'), type: typed.type };
}

/** Only the fields and list items of a set. `withKeys`: also the key fields of the list items on the way. */
export function extractItems(typed: TypedValue, items: FieldSet, options?: { readonly withKeys: boolean }): TypedValue {
  const wanted = options?.withKeys === true ? items.union(keyFields(typed, items)) : items;
  return { value: walkValue(typed.type, typed.value, wanted, 'extract'), type: typed.type };
}

type Mode = 'remove' | 'extract';

function walkValue(type: TypeView, value: JsonValue, items: FieldSet, mode: Mode): JsonValue {
  const form = formOf(type, value);
  if (form === 'map' && type.map !== undefined && isObject(value)) {
    if (type.map.atomic || Object.keys(value).length === 0) return mode === 'extract' ? value : null;
    return walkMap(type.map, value, items, mode);
  }
  if (form === 'list' && type.list !== undefined && Array.isArray(value)) {
    if (type.list.atomic || value.length === 0) return mode === 'extract' ? value : null;
    return walkList(type.list, value, items, mode);
  }
  return form === 'scalar' ? value : null;
}

function walkMap(map: MapView, value: JsonObject, items: FieldSet, mode: Mode): JsonValue {
  const out: JsonObject = {};
  let count = 0;
  for (const key of Object.keys(value)) {
    const field = map.field(key);
    const kept = walkKey(field?.type ?? map.element ?? noType, value[key] as JsonValue, elementOfKey(field, key), items, mode);
    if (kept === undefined) continue;
    setKey(out, key, kept);
    count++;
  }
  return count === 0 ? null : out;
}

function walkKey(type: TypeView, value: JsonValue, element: PathElement, items: FieldSet, mode: Mode): JsonValue | undefined {
  const entry = items.entry(element);
  if (entry === undefined) return mode === 'extract' ? undefined : value;
  // The reference looks for the outer set in the value here.
  if (entry.member) return mode === 'extract' ? walkValue(type, value, items, mode) : undefined;
  return entry.children === undefined ? value : walkValue(type, value, entry.children, mode);
}

function walkList(list: ListView, value: readonly JsonValue[], items: FieldSet, mode: Mode): JsonValue {
  const out: JsonValue[] = [];
  for (const item of value) {
    const element = itemElement(list, item);
    const entry = typeof element === 'string' ? undefined : items.entry(element);
    if (entry === undefined ? mode === 'extract' : entry.member && mode === 'remove') continue;
    out.push(entry?.children === undefined ? item : walkValue(list.items, item, entry.children, mode));
  }
  return out.length === 0 ? null : out;
}

/** Paths of the keys of all list items on the way to those paths of a set that the value has. */
function keyFields(typed: TypedValue, items: FieldSet): FieldSet {
  const present = toFieldSet(typed);
  let out = FieldSet.empty;
  for (const path of items.paths()) {
    if (!present.has(path)) continue;
    path.forEach((element, i) => {
      for (const [name] of element.keys) out = out.union(FieldSet.of([...path.slice(0, i + 1), name]));
    });
  }
  return out;
}
