import { getKey, isObject, type JsonObject } from '../../../shared/apimachinery/json.ts';
import { schemaAt, schemasAt } from './schema-walk.ts';

/**
 * The schemas of which this is true, with all those on the way to them through properties, items and additional
 * properties: whoever looks for such parts of an object need not look below any other. `allOf`: and through that.
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
  // There may be 100,000, and every part of every schema comes here.
  if (isObject(properties)) for (const below of Object.values(properties)) if (isObject(below)) yield below;
}
