import { isObject, type JsonObject, type JsonValue } from '../../../shared/apimachinery/json.ts';
import type { SchemaNode } from './schema-node.ts';

const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Takes away what the schema does not name (apiextensions-apiserver/pkg/apiserver/schema/pruning) and, on the same way,
 * nulls that are neither allowed nor replaced by a default. Returns the paths of unknown fields, sorted.
 */
export function pruneObject(object: JsonObject, schema: SchemaNode): string[] {
  const unknown: string[] = [];
  pruneMap(object, schema, true, '', unknown);
  return unknown.toSorted();
}

/** The same for a value inside of an object; unknown fields are not told. Nulls go, too. */
export function pruneValue(value: JsonValue, schema: SchemaNode): void {
  if (schema.preserveUnknown) keep(value, schema, '', []);
  else prune(value, schema, '', []);
}

function prune(value: JsonValue, schema: SchemaNode | undefined, path: string, unknown: string[]): void {
  if (Array.isArray(value)) {
    const keeps = schema?.preserveUnknown === true;
    for (let index = 0; index < value.length; index++) {
      const item = value[index] as JsonValue;
      if (typeof item !== 'object' || item === null) continue;
      if (keeps) keep(item, schema.items, `${path}[${index}]`, unknown);
      else prune(item, schema?.items, `${path}[${index}]`, unknown);
    }
  } else if (isObject(value)) {
    if (schema === undefined) removeAll(value, path, unknown);
    else pruneMap(value, schema, schema.embedded, path, unknown);
  }
}

/** Below a schema that keeps unknown fields, until a schema says more. */
function keep(value: JsonValue, schema: SchemaNode | undefined, path: string, unknown: string[]): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) value.forEach((item, index) => keep(item, schema.items, `${path}[${index}]`, unknown));
  else if (isObject(value)) pruneMap(value, schema, schema.embedded, path, unknown, true);
}

function pruneMap(object: JsonObject, schema: SchemaNode, isResource: boolean, path: string, unknown: string[], keeps = schema.preserveUnknown): void {
  const { properties, additional } = schema;
  for (const key in object) {
    if (!Object.hasOwn(object, key) || (isResource && metaFields.has(key))) continue;
    const property = properties.get(key) ?? additional;
    if (property === undefined && !schema.hasAdditional) {
      if (keeps) continue;
      if (path !== '' || !metaFields.has(key)) unknown.push(join(path, key));
      delete object[key];
      continue;
    }
    const value = object[key] as JsonValue;
    if (value === null) {
      if (property !== undefined && !property.nullable && property.default === undefined) delete object[key];
    } else if (typeof value === 'object') prune(value, property, join(path, key), unknown);
  }
}

/** Of a value that no schema describes nothing stays but its being an object. */
function removeAll(object: JsonObject, path: string, unknown: string[]): void {
  for (const key of Object.keys(object)) {
    unknown.push(join(path, key));
    delete object[key];
  }
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
