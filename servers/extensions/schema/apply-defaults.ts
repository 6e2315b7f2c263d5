import { cloneJson } from '../../../shared/apimachinery/clone.ts';
import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '../../../shared/apimachinery/json.ts';
import { isSliced, sliceIsOver, type Steps } from '../../../shared/apimachinery/slices.ts';
import type { SchemaNode } from './schema-node.ts';

/** Whether a schema has a default. */
export function hasDefault(schema: JsonObject): boolean {
  return (schema['default'] ?? null) !== null;
}

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
}

/**
 * Sets defaults where a value is missing, or is null without being nullable
 * (apiextensions-apiserver/pkg/apiserver/schema/defaulting). Returns whether it set any. `leading`: the schemas that
 * have a default, and the schemas that contain them.
 */
export function* applySchemaDefaults(
  object: JsonObject,
  schema: SchemaNode,
  leading: ReadonlySet<JsonObject>,
): Steps<boolean> {
  const walk: Walk = { leading, waiting: isSliced() ? [] : undefined, changed: false };
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
    setKey(object, key, cloneJson(property.default as JsonValue));
    walk.changed = true;
  }
}

function defaultMember(object: JsonObject, key: string, schema: SchemaNode, walk: Walk): void {
  const declared = schema.properties.get(key);
  if (declared !== undefined) return visit(getKey(object, key) as JsonValue, declared, walk);
  const { additional } = schema;
  if (additional !== undefined && getKey(object, key) === null && !additional.nullable) {
    setKey(object, key, cloneJson(additional.default ?? null));
    walk.changed = true;
  }
  visit(getKey(object, key) as JsonValue, additional, walk);
}

function defaultItem(list: JsonValue[], index: number, { items }: SchemaNode, walk: Walk): void {
  if (items === undefined) return;
  if (list[index] === null && !items.nullable) {
    list[index] = cloneJson(items.default ?? null);
    walk.changed = true;
  }
  visit(list[index] as JsonValue, items, walk);
}
