import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';

/** The schema in a member that holds one schema. */
export function schemaAt(schema: JsonObject, key: string): JsonObject | undefined {
  const value = getKey(schema, key);
  return isObject(value) ? value : undefined;
}

/** Schemas in a member that holds a list of them. */
export function schemasAt(schema: JsonObject, key: string): readonly JsonObject[] {
  const value = getKey(schema, key);
  return Array.isArray(value) ? value.filter((item) => isObject(item)) : [];
}

/** Schemas in a member that holds a map of them. */
export function schemaMapAt(schema: JsonObject, key: string): readonly (readonly [string, JsonObject])[] {
  const value = getKey(schema, key);
  if (!isObject(value)) return [];
  const schemas: (readonly [string, JsonObject])[] = [];
  for (const [name, item] of Object.entries(value)) if (isObject(item)) schemas.push([name, item]);
  return schemas;
}

/** The schema and all schemas below it; a schema comes before the schemas inside it. */
export function* everySchema(root: JsonObject): Iterable<JsonObject> {
  const pending = [root];
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    yield schema;
    for (const below of schemasIn(schema).toReversed()) pending.push(below);
  }
}

function schemasIn(schema: JsonObject): readonly JsonObject[] {
  const single = ['items', 'additionalProperties', 'not', 'additionalItems']
    .map((key) => schemaAt(schema, key))
    .filter((below) => below !== undefined);
  const lists = ['items', 'allOf', 'anyOf', 'oneOf'].flatMap((key) => schemasAt(schema, key));
  const maps = ['properties', 'patternProperties', 'definitions', 'dependencies'].flatMap((key) =>
    schemaMapAt(schema, key).map(([, below]) => below),
  );
  return [...single, ...lists, ...maps];
}

/** Whether a member is set in the sense of Go: neither absent nor its zero value. */
export function isSet(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 0) return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isObject(value) || Object.keys(value).length > 0;
}
