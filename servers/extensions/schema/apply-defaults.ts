import { newRequestEntityTooLarge } from '#shared/apimachinery/errors/status.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { isSliced, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type { SchemaNode } from './schema-node.ts';

/** Whether a schema has a default. */
export function hasDefault(schema: JsonObject): boolean {
  return (schema['default'] ?? null) !== null;
}

/**
 * Characters of JSON that defaults may add to one object. Defaults and items multiply: an object of 3 MB under a schema
 * of 1 MB could have gigabytes. Storage takes far less.
 */
const maxAdded = 16 * 1024 * 1024;
/** Of each: quotation marks, a colon and a comma. */
const aroundDefault = 4;

interface Part {
  readonly value: JsonValue[] | JsonObject;
  readonly schema: SchemaNode;
}

interface Walk {
  /** The schemas that have a default, and the schemas that contain them. */
  readonly leading: ReadonlySet<JsonObject>;
  /** The parts of a large object that are still to be visited, in any order. Undefined for a small object. */
  readonly waiting: Part[] | undefined;
  /** Whether a default was set. */
  changed: boolean;
  /** Characters that may still be added. */
  left: number;
}

/**
 * Sets defaults where a value is missing, or is null without being nullable
 * (apiextensions-apiserver/pkg/apiserver/schema/defaulting). Returns whether it set any. `leading`: the schemas that
 * have a default, and the schemas that contain them.
 * @throws StatusError 413 where they would add more than 16 MiB
 */
export function* applySchemaDefaults(
  object: JsonObject,
  schema: SchemaNode,
  leading: ReadonlySet<JsonObject>,
): Steps<boolean> {
  const walk: Walk = { leading, waiting: isSliced() ? [] : undefined, changed: false, left: maxAdded };
  visit(object, schema, walk);
  const { waiting = [] } = walk;
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) yield* defaultInSteps(part, walk);
  return walk.changed;
}

function* defaultInSteps({ value, schema }: Part, walk: Walk): Steps<void> {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      defaultItem(value, index, schema, walk);
      if (sliceIsOver()) yield;
    }
    return;
  }
  setMissing(value, schema, walk);
  for (const key of Object.keys(value)) {
    defaultMember(value, key, schema, walk);
    if (sliceIsOver()) yield;
  }
}

function visit(value: JsonValue, schema: SchemaNode | undefined, walk: Walk): void {
  if (schema === undefined || !walk.leading.has(schema.raw) || typeof value !== 'object' || value === null) return;
  if (walk.waiting !== undefined) walk.waiting.push({ value, schema });
  else if (Array.isArray(value))
    for (let index = 0; index < value.length; index++) defaultItem(value, index, schema, walk);
  else if (isObject(value)) {
    setMissing(value, schema, walk);
    for (const key in value) if (Object.hasOwn(value, key)) defaultMember(value, key, schema, walk);
  }
}

function setMissing(object: JsonObject, schema: SchemaNode, walk: Walk): void {
  for (const [key, property] of schema.withDefaults) {
    const present = Object.hasOwn(object, key) ? object[key] : undefined;
    if (present !== undefined && (present !== null || property.nullable)) continue;
    count(key.length + property.defaultLength, walk);
    setKey(object, key, cloneJson(property.default as JsonValue));
  }
}

/** Counts what a default adds, before it is set. */
function count(length: number, walk: Walk): void {
  walk.changed = true;
  walk.left -= length + aroundDefault;
  if (walk.left < 0)
    throw newRequestEntityTooLarge(`the schema's defaults would add more than ${maxAdded} bytes to the object`);
}

function defaultMember(object: JsonObject, key: string, schema: SchemaNode, walk: Walk): void {
  const declared = schema.properties.get(key);
  if (declared !== undefined) return visit(getKey(object, key) as JsonValue, declared, walk);
  const { additional } = schema;
  if (additional !== undefined && getKey(object, key) === null && !additional.nullable) {
    count(additional.defaultLength, walk);
    setKey(object, key, cloneJson(additional.default ?? null));
  }
  visit(getKey(object, key) as JsonValue, additional, walk);
}

function defaultItem(list: JsonValue[], index: number, { items }: SchemaNode, walk: Walk): void {
  if (items === undefined) return;
  if (list[index] === null && !items.nullable) {
    count(items.defaultLength, walk);
    list[index] = cloneJson(items.default ?? null);
  }
  visit(list[index] as JsonValue, items, walk);
}
