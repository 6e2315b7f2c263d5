import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';

/** Descriptions by the path of what they describe. */
export type Descriptions = ReadonlyMap<string, string>;

/** A document without its sentences, which are collected, and with parameters in one order and in their places. */
export function strip(document: JsonObject): { readonly structure: JsonObject; readonly descriptions: Descriptions } {
  const descriptions = new Map<string, string>();
  const parameters = isObject(document['parameters']) ? document['parameters'] : {};
  const { parameters: _, ...rest } = document;
  return { structure: walk(rest, '', parameters, descriptions) as JsonObject, descriptions };
}

function walk(value: JsonValue, path: string, parameters: JsonObject, descriptions: Map<string, string>): JsonValue {
  if (Array.isArray(value)) {
    const items = value.map((item) => (isObject(item) ? (sharedParameter(item, parameters) ?? item) : item));
    return inOrder(
      items.map((item, index) => walk(item, `${path}/${placeOf(item) || index}`, parameters, descriptions)),
    );
  }
  if (!isObject(value)) return value;
  const entries: [string, JsonValue][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (key === 'description' && typeof item === 'string') descriptions.set(path, item);
    else entries.push([key, walk(item, `${path}/${key}`, parameters, descriptions)]);
  }
  return Object.fromEntries(entries);
}

/** v2 names parameters that many operations have. */
function sharedParameter({ $ref }: JsonObject, parameters: JsonObject): JsonValue | undefined {
  const prefix = '#/parameters/';
  return typeof $ref === 'string' && $ref.startsWith(prefix) ? parameters[$ref.slice(prefix.length)] : undefined;
}

function nameOf(value: JsonValue): string {
  return isObject(value) && value['in'] !== undefined && typeof value['name'] === 'string' ? value['name'] : '';
}

/** A path may have two parameters of one name, one of them in the query. */
function placeOf(value: JsonValue): string {
  return isObject(value) && nameOf(value) !== '' ? `${String(value['in'])} ${nameOf(value)}` : '';
}

function inOrder(items: JsonValue[]): JsonValue[] {
  return items.length > 0 && items.every((item) => nameOf(item) !== '')
    ? items.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    : items;
}
