import { cloneJson } from '../../../shared/apimachinery/clone.ts';
import { isObject, setKey, type JsonObject, type JsonValue } from '../../../shared/apimachinery/json.ts';
import type { SchemaNode } from './schema-node.ts';

/** Whether a schema says what stands where nothing does. */
export function hasDefault(schema: JsonObject): boolean {
  return (schema['default'] ?? null) !== null;
}

/**
 * Sets defaults where a value is missing, or null where null is not allowed (apiextensions-apiserver/pkg/apiserver/schema/defaulting).
 * Answers whether it set any. `leading`: the schemas that have a default, and those on the way to them.
 */
export function applySchemaDefaults(value: JsonValue, schema: SchemaNode | undefined, leading: ReadonlySet<JsonObject>): boolean {
  if (schema === undefined || !leading.has(schema.raw)) return false;
  if (Array.isArray(value)) return defaultList(value, schema.items, leading);
  return isObject(value) && defaultObject(value, schema, leading);
}

function defaultObject(object: JsonObject, schema: SchemaNode, leading: ReadonlySet<JsonObject>): boolean {
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
    if (typeof value === 'object' && value !== null && applySchemaDefaults(value, declared ?? additional, leading)) changed = true;
  }
  return changed;
}

function defaultList(list: JsonValue[], items: SchemaNode | undefined, leading: ReadonlySet<JsonObject>): boolean {
  if (items === undefined) return false;
  let changed = false;
  for (let index = 0; index < list.length; index++) {
    if (list[index] === null && !items.nullable) {
      list[index] = cloneJson(items.default ?? null);
      changed = true;
    }
    if (applySchemaDefaults(list[index] as JsonValue, items, leading)) changed = true;
  }
  return changed;
}
