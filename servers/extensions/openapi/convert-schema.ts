import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Dialect } from '#shared/endpoints/openapi/model-schema.ts';
import { int64Keys, numbersIn } from './document-numbers.ts';

/** Completes the schema of an embedded resource. */
export type Embed = (schema: JsonObject) => JsonObject;

/**
 * Converts the schema of a definition for a document. OpenAPI v2 cannot express some members, so they are left out
 * (apiextensions-apiserver pkg/controller/openapi/v2), and kubectl takes what a v2 document lists as all that there is,
 * so nothing is listed where unknown fields are kept.
 */
export function* convertSchema(schema: JsonObject, dialect: Dialect, embed: Embed): Steps<JsonObject> {
  if (sliceIsOver()) yield;
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(dialect === 'v2' ? plainV2(schema) : unfolded(schema)))
    if (key !== 'example' || !isEmpty(value)) setKey(out, key, yield* convertMember(key, value, dialect, embed));
  const isComplete = dialect === 'v2' && keepsUnknown(schema);
  return out['x-kubernetes-embedded-resource'] === true && !isComplete ? embed(out) : out;
}

/** Left out where an example is: `omitempty` of the documents' JSON encoder. */
function isEmpty(value: JsonValue): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

function keepsUnknown(schema: JsonObject): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}

const hiddenInV2: ReadonlySet<string> = new Set(['default', 'nullable', 'oneOf', 'anyOf', 'allOf', 'not']);

/** There are no nullable types either: a nullable value has no type, and a nullable property is not required. */
function plainV2(schema: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) if (!hiddenInV2.has(key)) setKey(out, key, value);
  const { nullable } = schema;
  if (nullable === true || keepsUnknown(schema)) {
    delete out['items'];
    delete out['properties'];
  }
  const isWithoutItems = out['type'] === 'array' && out['items'] === undefined;
  if (nullable === true || isWithoutItems || (out['type'] === 'object' && keepsUnknown(schema))) delete out['type'];
  const required = requiredInV2(out);
  if (required !== undefined && required.length > 0) out['required'] = required;
  else delete out['required'];
  return out;
}

function requiredInV2({ required, properties, additionalProperties }: JsonObject): JsonValue[] | undefined {
  if (!Array.isArray(required) || isNullable(additionalProperties)) return undefined;
  if (!isObject(properties)) return required;
  return required.filter((name) => typeof name !== 'string' || !isNullable(getKey(properties, name)));
}

function isNullable(schema: JsonValue | undefined): boolean {
  return isObject(schema) && schema['nullable'] === true;
}

const intOrString: readonly JsonObject[] = [{ type: 'integer' }, { type: 'string' }];

/** With the alternatives of `x-kubernetes-int-or-string`, unless the schema spells them out. */
function unfolded(schema: JsonObject): JsonObject {
  if (schema['x-kubernetes-int-or-string'] !== true) return schema;
  const { anyOf, allOf } = schema;
  const all = Array.isArray(allOf) ? allOf : [];
  const [first] = all;
  if (isIntOrString(anyOf) || (isObject(first) && isIntOrString(first['anyOf']))) return schema;
  return anyOf === undefined
    ? { ...schema, anyOf: [...intOrString] }
    : { ...schema, allOf: [{ anyOf: [...intOrString] }, ...all] };
}

function isIntOrString(alternatives: JsonValue | undefined): boolean {
  return (
    Array.isArray(alternatives) &&
    alternatives.length === intOrString.length &&
    alternatives.every((one, index) => isObject(one) && one['type'] === intOrString[index]?.['type'])
  );
}

function* convertMember(key: string, value: JsonValue, dialect: Dialect, embed: Embed): Steps<JsonValue> {
  switch (key) {
    case 'properties':
      return isObject(value) ? yield* convertAll(value, dialect, embed) : value;
    case 'items':
    case 'additionalProperties':
    case 'not':
      return isObject(value) ? yield* convertSchema(value, dialect, embed) : value;
    case 'oneOf':
    case 'anyOf':
    case 'allOf':
      return Array.isArray(value) ? yield* convertItems(value, dialect, embed) : value;
    default:
      return yield* numbersIn(value, dialect, int64Keys.has(key));
  }
}

function* convertItems(list: readonly JsonValue[], dialect: Dialect, embed: Embed): Steps<JsonValue[]> {
  const out: JsonValue[] = [];
  for (const item of list) out.push(isObject(item) ? yield* convertSchema(item, dialect, embed) : item);
  return out;
}

function* convertAll(properties: JsonObject, dialect: Dialect, embed: Embed): Steps<JsonObject> {
  const out: JsonObject = {};
  for (const key of Object.keys(properties).sort()) {
    const value = getKey(properties, key);
    setKey(out, key, isObject(value) ? yield* convertSchema(value, dialect, embed) : (value ?? null));
  }
  return out;
}
