import { getKey, isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { schemaAt, schemasAt } from './schema-walk.ts';

/**
 * The schemas for which `isOne` is true, and all schemas that contain one of them in properties, items or additional
 * properties, so that a walk over an object can skip all other parts. `allOf`: whether members of `allOf` count, too.
 */
export function schemasWith(
  root: JsonObject,
  isOne: (schema: JsonObject) => boolean,
  { allOf = false } = {},
): ReadonlySet<JsonObject> {
  const found = new Set<JsonObject>();
  const leads = (schema: JsonObject): boolean => {
    let holds = isOne(schema);
    for (const below of schemasOfValues(schema)) if (leads(below)) holds = true;
    if (allOf) for (const part of schemasAt(schema, 'allOf')) if (leads(part)) holds = true;
    if (holds) found.add(schema);
    return holds;
  };
  leads(root);
  return found;
}

function* schemasOfValues(schema: JsonObject): Iterable<JsonObject> {
  for (const key of ['items', 'additionalProperties']) {
    const below = schemaAt(schema, key);
    if (below !== undefined) yield below;
  }
  const properties = getKey(schema, 'properties');
  // No array of entries is built: there may be 100,000 properties, and this runs for every part of every schema.
  if (isObject(properties)) for (const below of Object.values(properties)) if (isObject(below)) yield below;
}
