import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { isObject, setKey } from '#shared/apimachinery/json/json.ts';
import type { SelectedV2 } from './select-v2.ts';

const v2Schemas = '#/definitions/';
const v3Schemas = '#/components/schemas/';
/** Keys of a parameter that stay beside its schema in v3; the others move into the schema. */
const ofParameter: ReadonlySet<string> = new Set(['name', 'description', 'in', 'required', 'allowEmptyValue']);
/** Keys of an operation that stay as they are. */
const ofOperation: ReadonlySet<string> = new Set([
  'description',
  'externalDocs',
  'tags',
  'summary',
  'deprecated',
  'operationId',
]);

/**
 * The OpenAPI v3 form of a server's paths and definitions, for servers that have only v2: bodies move out of the
 * parameters, media types into bodies and responses, and references are rewritten (kube-openapi/pkg/openapiconv).
 */
export function v3FromV2({ info, paths, definitions }: SelectedV2): JsonObject {
  return {
    openapi: '3.0.0',
    info,
    paths: mapValues(paths, pathItem),
    components: { schemas: mapValues(definitions, schema) },
  };
}

function pathItem(item: JsonValue): JsonValue {
  return mapValues(item, (value, key) =>
    key === 'parameters' ? array(value).map(parameter) : isObject(value) ? operation(value) : value,
  );
}

function operation(value: JsonObject): JsonObject {
  const converted: JsonObject = {};
  for (const [key, inner] of Object.entries(value))
    if (ofOperation.has(key) || key.startsWith('x-')) setKey(converted, key, inner);
  const parameters = array(value['parameters']);
  const body = parameters.find(isBody);
  const others = parameters.filter((one) => !isBody(one)).map(parameter);
  if (others.length > 0) converted['parameters'] = others;
  if (isObject(body)) converted['requestBody'] = { content: contentOf(value['consumes'], body['schema'] ?? {}) };
  converted['responses'] = mapValues(value['responses'] ?? {}, (one) => response(one, value['produces']));
  return converted;
}

function isBody(parameterValue: JsonValue): boolean {
  return isObject(parameterValue) && parameterValue['in'] === 'body';
}

function parameter(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const converted: JsonObject = {};
  const simple: JsonObject = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'schema') continue;
    if (ofParameter.has(key) || key.startsWith('x-')) setKey(converted, key, inner);
    else setKey(simple, key, inner);
  }
  converted['schema'] = schema(value['schema'] ?? simple);
  return converted;
}

function response(value: JsonValue, produces: JsonValue | undefined): JsonValue {
  if (!isObject(value)) return value;
  const { schema: of, ...rest } = value;
  return of === undefined ? rest : { ...rest, content: contentOf(produces, of) };
}

function contentOf(types: JsonValue | undefined, of: JsonValue): JsonObject {
  return Object.fromEntries(
    array(types).flatMap((type) => (typeof type === 'string' ? [[type, { schema: schema(of) }]] : [])),
  );
}

/** Converts a schema. A `$ref` with siblings, which v3 does not allow, is wrapped. */
function schema(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(schema);
  if (!isObject(value)) return value;
  const { $ref, ...rest } = value;
  const converted = mapValues(rest, (inner, key) => {
    if (key === 'properties' || key === 'patternProperties') return mapValues(inner, schema);
    return keysOfSchemas.has(key) ? schema(inner) : inner;
  });
  if (typeof $ref !== 'string') return converted;
  const reference = { $ref: $ref.startsWith(v2Schemas) ? `${v3Schemas}${$ref.slice(v2Schemas.length)}` : $ref };
  return Object.keys(rest).length === 0 ? reference : { allOf: [reference], ...converted };
}

const keysOfSchemas: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'additionalItems',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
]);

function mapValues(object: JsonValue, convert: (value: JsonValue, key: string) => JsonValue): JsonObject {
  const converted = Object.create(null) as JsonObject;
  if (isObject(object)) for (const [key, value] of Object.entries(object)) setKey(converted, key, convert(value, key));
  return converted;
}

function array(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
