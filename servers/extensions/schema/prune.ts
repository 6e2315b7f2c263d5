import { isObject, type JsonObject, type JsonValue } from '../../../shared/apimachinery/json.ts';
import type { SchemaNode } from './schema-node.ts';

const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

interface Walk {
  readonly unknown: string[];
  readonly dropNulls: boolean;
}

/**
 * Takes away what the schema does not name (apiextensions-apiserver/pkg/apiserver/schema/pruning) and, on the same way,
 * nulls that are neither allowed nor replaced by a default, if `dropNulls`. Returns the paths of unknown fields, sorted.
 */
export function pruneObject(object: JsonObject, schema: SchemaNode, dropNulls: boolean): string[] {
  const walk: Walk = { unknown: [], dropNulls };
  pruneMap(object, schema, true, '', walk);
  return walk.unknown.toSorted();
}

/** The same for a value inside of an object; nulls stay. */
export function pruneValue(value: JsonValue, schema: SchemaNode): void {
  const walk: Walk = { unknown: [], dropNulls: false };
  if (schema.preserveUnknown) keep(value, schema, '', walk);
  else prune(value, schema, '', walk);
}

function prune(value: JsonValue, schema: SchemaNode | undefined, path: string, walk: Walk): void {
  if (Array.isArray(value)) {
    const keeps = schema?.preserveUnknown === true;
    for (let index = 0; index < value.length; index++) {
      const item = value[index] as JsonValue;
      if (typeof item !== 'object' || item === null) continue;
      if (keeps) keep(item, schema.items, `${path}[${index}]`, walk);
      else prune(item, schema?.items, `${path}[${index}]`, walk);
    }
  } else if (isObject(value)) {
    if (schema === undefined) removeAll(value, path, walk);
    else pruneMap(value, schema, schema.embedded, path, walk);
  }
}

/** Below a schema that keeps unknown fields, until a schema says more. */
function keep(value: JsonValue, schema: SchemaNode | undefined, path: string, walk: Walk): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) value.forEach((item, index) => keep(item, schema.items, `${path}[${index}]`, walk));
  else if (isObject(value)) pruneMap(value, schema, schema.embedded, path, walk, true);
}

function pruneMap(object: JsonObject, schema: SchemaNode, isResource: boolean, path: string, walk: Walk, keeps = schema.preserveUnknown): void {
  const { properties, additional } = schema;
  for (const key in object) {
    if (!Object.hasOwn(object, key) || (isResource && metaFields.has(key))) continue;
    const property = properties.get(key) ?? additional;
    if (property === undefined && !schema.hasAdditional) {
      if (keeps) continue;
      if (path !== '' || !metaFields.has(key)) walk.unknown.push(join(path, key));
      delete object[key];
      continue;
    }
    const value = object[key] as JsonValue;
    if (value === null) {
      if (walk.dropNulls && property !== undefined && !property.nullable && property.default === undefined) delete object[key];
    } else if (typeof value === 'object') prune(value, property, join(path, key), walk);
  }
}

/** Of a value that no schema describes nothing stays but its being an object. */
function removeAll(object: JsonObject, path: string, walk: Walk): void {
  for (const key of Object.keys(object)) {
    walk.unknown.push(join(path, key));
    delete object[key];
  }
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
