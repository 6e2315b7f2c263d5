import { cloneJson } from '../../../shared/apimachinery/clone.ts';
import { isObject, setKey, type JsonObject, type JsonValue } from '../../../shared/apimachinery/json.ts';
import type { SchemaNode } from './schema-node.ts';

/** Sets defaults where a value is missing, or null where null is not allowed (apiextensions-apiserver/pkg/apiserver/schema/defaulting). Whether there was any. */
export function applySchemaDefaults(value: JsonValue, schema: SchemaNode | undefined): boolean {
  if (schema === undefined) return false;
  if (Array.isArray(value)) return defaultList(value, schema.items);
  return isObject(value) && defaultObject(value, schema);
}

function defaultObject(object: JsonObject, schema: SchemaNode): boolean {
  let changed = false;
  for (const [key, property] of schema.withDefaults) {
    const present = Object.hasOwn(object, key) ? object[key] : undefined;
    if (present !== undefined && (present !== null || property.nullable)) continue;
    setKey(object, key, cloneJson(property.default as JsonValue));
    changed = true;
  }
  const { properties, additional } = schema;
  for (const key in object) {
    if (!Object.hasOwn(object, key)) continue;
    const declared = properties.get(key);
    if (declared === undefined && additional !== undefined && object[key] === null && !additional.nullable) {
      setKey(object, key, cloneJson(additional.default ?? null));
      changed = true;
    }
    const value = object[key] as JsonValue;
    if (typeof value === 'object' && value !== null && applySchemaDefaults(value, declared ?? additional)) changed = true;
  }
  return changed;
}

function defaultList(list: JsonValue[], items: SchemaNode | undefined): boolean {
  if (items === undefined) return false;
  let changed = false;
  for (let index = 0; index < list.length; index++) {
    if (list[index] === null && !items.nullable) {
      list[index] = cloneJson(items.default ?? null);
      changed = true;
    }
    if (applySchemaDefaults(list[index] as JsonValue, items)) changed = true;
  }
  return changed;
}
