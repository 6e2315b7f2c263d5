import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { isSliced, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { byCodeUnit, sortInSteps } from '#shared/apimachinery/slices/sort-in-steps.ts';
import type { SchemaNode } from './schema-node.ts';

const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** A list or object that is still to be visited. */
interface Part {
  readonly value: JsonValue[] | JsonObject;
  readonly schema: SchemaNode | undefined;
  readonly path: string;
  /** Whether the schema preserves unknown fields. */
  readonly keeps: boolean;
  /** Whether this is the root of a resource: its apiVersion, kind and metadata are kept even if not declared. */
  readonly isResource: boolean;
  /** Whether this is such a part of an embedded resource, in which only nulls are removed. */
  readonly onlyNulls?: true;
}

interface Walk {
  readonly unknown: string[];
  readonly dropNulls: boolean;
  /** The parts of a large object that are still to be visited, in any order. Undefined for a small object. */
  readonly waiting: Part[] | undefined;
}

/**
 * Removes fields that the schema does not declare (apiextensions-apiserver/pkg/apiserver/schema/pruning). With
 * `dropNulls` it also removes nulls that are neither allowed nor replaced by a default. Returns the paths of unknown
 * fields, sorted.
 */
export function* pruneObject(object: JsonObject, schema: SchemaNode, dropNulls: boolean): Steps<string[]> {
  const walk: Walk = { unknown: [], dropNulls, waiting: isSliced() ? [] : undefined };
  visit({ value: object, schema, path: '', keeps: schema.preserveUnknown, isResource: true }, walk);
  yield* visitWaiting(walk);
  return yield* sortInSteps(walk.unknown, byCodeUnit);
}

/** Prunes a value inside an object; nulls stay. */
export function pruneValue(value: JsonValue, schema: SchemaNode): void {
  const walk: Walk = { unknown: [], dropNulls: false, waiting: undefined };
  if (schema.preserveUnknown) keep(value, schema, '', walk);
  else prune(value, schema, '', walk);
}

function* visitWaiting(walk: Walk): Steps<void> {
  const { waiting = [] } = walk;
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const { value, schema } = part;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        pruneItem(value, index, part, walk);
        if (sliceIsOver()) yield;
      }
    } else {
      for (const key of Object.keys(value)) {
        if (schema === undefined) remove(value, key, part.path, walk);
        else pruneMember(value, key, schema, part, walk);
        if (sliceIsOver()) yield;
      }
    }
  }
}

function visit(part: Part, walk: Walk): void {
  if (walk.waiting !== undefined) {
    walk.waiting.push(part);
    return;
  }
  const { value, schema } = part;
  if (Array.isArray(value)) for (let index = 0; index < value.length; index++) pruneItem(value, index, part, walk);
  else if (schema === undefined) for (const key of Object.keys(value)) remove(value, key, part.path, walk);
  else for (const key in value) if (Object.hasOwn(value, key)) pruneMember(value, key, schema, part, walk);
}

function prune(value: JsonValue, schema: SchemaNode | undefined, path: string, walk: Walk): void {
  if (Array.isArray(value) || isObject(value))
    visit(
      { value, schema, path, keeps: schema?.preserveUnknown === true, isResource: schema?.embedded === true },
      walk,
    );
}

/** Visits a value below a schema that preserves unknown fields: undeclared fields of the value are kept. */
function keep(value: JsonValue, schema: SchemaNode | undefined, path: string, walk: Walk): void {
  if (schema !== undefined && (Array.isArray(value) || isObject(value)))
    visit({ value, schema, path, keeps: true, isResource: schema.embedded }, walk);
}

function pruneItem(
  list: readonly JsonValue[],
  index: number,
  { schema, path, keeps, onlyNulls }: Part,
  walk: Walk,
): void {
  const item = list[index] as JsonValue;
  if (typeof item !== 'object' || item === null) return;
  if (onlyNulls) visitForNulls(item, schema?.items, walk);
  else if (keeps) keep(item, schema?.items, `${path}[${index}]`, walk);
  else prune(item, schema?.items, `${path}[${index}]`, walk);
}

function pruneMember(
  object: JsonObject,
  key: string,
  schema: SchemaNode,
  { isResource, path, keeps, onlyNulls }: Part,
  walk: Walk,
): void {
  const property = schema.properties.get(key) ?? schema.additional;
  if (onlyNulls || (isResource && metaFields.has(key))) {
    // The metadata of the object itself is made anew from its Go type afterwards.
    if (walk.dropNulls && path !== '') dropNull(object, key, property, walk);
    return;
  }
  if (property === undefined && !schema.hasAdditional) {
    if (keeps) return;
    if (path !== '' || !metaFields.has(key)) walk.unknown.push(join(path, key));
    delete object[key];
    return;
  }
  const value = getKey(object, key) as JsonValue;
  if (value === null) {
    if (walk.dropNulls && isUnwantedNull(property)) delete object[key];
  } else if (typeof value === 'object') prune(value, property, join(path, key), walk);
}

function isUnwantedNull(schema: SchemaNode | undefined): boolean {
  return schema !== undefined && !schema.nullable && schema.default === undefined;
}

function dropNull(object: JsonObject, key: string, schema: SchemaNode | undefined, walk: Walk): void {
  const value = getKey(object, key) as JsonValue;
  if (value !== null) visitForNulls(value, schema, walk);
  else if (isUnwantedNull(schema)) delete object[key];
}

function visitForNulls(value: JsonValue, schema: SchemaNode | undefined, walk: Walk): void {
  if (schema !== undefined && typeof value === 'object' && value !== null)
    visit({ value, schema, path: '.', keeps: true, isResource: false, onlyNulls: true }, walk);
}

/** Removes an unknown field and records its path. */
function remove(object: JsonObject, key: string, path: string, walk: Walk): void {
  walk.unknown.push(join(path, key));
  delete object[key];
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
