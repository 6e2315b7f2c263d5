import { duplicate, invalid, path, type FieldError, type Path } from '../../../shared/apimachinery/field-error.ts';
import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '../../../shared/apimachinery/json.ts';
import { looseText } from '../../../shared/serializer/json/loose.ts';
import type { SchemaNode } from './schema-node.ts';

/** Lists that are sets or maps have no item twice (apiextensions-apiserver/pkg/apiserver/schema/listtype). */
export function checkLists(object: JsonObject, schema: SchemaNode, at?: Path): FieldError[] {
  const errors: FieldError[] = [];
  const { properties, additional } = schema;
  for (const key in object) {
    if (!Object.hasOwn(object, key)) continue;
    const value = object[key] as JsonValue;
    if (typeof value !== 'object' || value === null) continue;
    const declared = properties.get(key);
    if (additional !== undefined) errors.push(...checkBelow(value, additional, at === undefined ? path(`[${key}]`) : at.key(key)));
    if (declared !== undefined) errors.push(...checkBelow(value, declared, at === undefined ? path(key) : at.child(key)));
  }
  return errors;
}

function checkBelow(value: JsonValue, schema: SchemaNode, at: Path): FieldError[] {
  if (isObject(value)) return checkLists(value, schema, at);
  if (!Array.isArray(value)) return [];
  const { listType, items } = schema;
  const errors = listType === 'set' ? checkSet(value, at) : listType === 'map' ? checkMap(value, schema.listMapKeys, at) : [];
  if (items !== undefined) value.forEach((item, index) => errors.push(...checkBelow(item, items, at.index(index))));
  return errors;
}

function checkSet(list: readonly JsonValue[], at: Path): FieldError[] {
  return repeated(list).map((index) => duplicate(at.index(index), list[index]));
}

function checkMap(list: readonly JsonValue[], keys: readonly string[], at: Path): FieldError[] {
  const wrong = list.findIndex((item) => item !== null && !isObject(item));
  if (wrong >= 0) return [invalid(at.index(wrong), list[wrong], 'must be an object for an array of list-type map')];
  const sortedKeys = keys.toSorted();
  const identities = list.map((item): JsonObject => identity(isObject(item) ? item : {}, sortedKeys));
  return repeated(identities).map((index) => duplicate(at.index(index), identities[index]));
}

function identity(item: JsonObject, keys: readonly string[]): JsonObject {
  const made: JsonObject = {};
  for (const key of keys) {
    const value = getKey(item, key);
    if (value !== undefined) setKey(made, key, value);
  }
  return made;
}

/** Where an item comes for the second time; further repetitions are not told. */
function repeated(list: readonly JsonValue[]): number[] {
  if (list.length <= 1) return [];
  const seen = new Map<string, number>();
  return list.flatMap((item, index) => {
    const text = looseText(item);
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    return times === 1 ? [index] : [];
  });
}
