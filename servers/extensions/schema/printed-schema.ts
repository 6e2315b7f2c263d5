import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { looseText } from '#shared/serializer/json/loose.ts';
import { parseJson } from '#shared/serializer/json/parse.ts';
import { isSet } from './schema-walk.ts';

type Form =
  | 'text'
  | 'flag'
  | 'value'
  | 'values'
  | 'any'
  | 'schema'
  | 'schemas'
  | 'schemaMap'
  | 'schemaOrList'
  | 'schemaOrFlag'
  | 'dependencies'
  | 'docs'
  | 'rules';

/** Members of Go's internal type JSONSchemaProps in their order, with the names that clients use. */
const members: readonly (readonly [goName: string, name: string, form: Form])[] = [
  ['ID', 'id', 'text'],
  ['Schema', '$schema', 'text'],
  ['Ref', '$ref', 'value'],
  ['Description', 'description', 'text'],
  ['Type', 'type', 'text'],
  ['Nullable', 'nullable', 'flag'],
  ['Format', 'format', 'text'],
  ['Title', 'title', 'text'],
  ['Default', 'default', 'any'],
  ['Maximum', 'maximum', 'value'],
  ['ExclusiveMaximum', 'exclusiveMaximum', 'flag'],
  ['Minimum', 'minimum', 'value'],
  ['ExclusiveMinimum', 'exclusiveMinimum', 'flag'],
  ['MaxLength', 'maxLength', 'value'],
  ['MinLength', 'minLength', 'value'],
  ['Pattern', 'pattern', 'text'],
  ['MaxItems', 'maxItems', 'value'],
  ['MinItems', 'minItems', 'value'],
  ['UniqueItems', 'uniqueItems', 'flag'],
  ['MultipleOf', 'multipleOf', 'value'],
  ['Enum', 'enum', 'any'],
  ['MaxProperties', 'maxProperties', 'value'],
  ['MinProperties', 'minProperties', 'value'],
  ['Required', 'required', 'values'],
  ['Items', 'items', 'schemaOrList'],
  ['AllOf', 'allOf', 'schemas'],
  ['OneOf', 'oneOf', 'schemas'],
  ['AnyOf', 'anyOf', 'schemas'],
  ['Not', 'not', 'schema'],
  ['Properties', 'properties', 'schemaMap'],
  ['AdditionalProperties', 'additionalProperties', 'schemaOrFlag'],
  ['PatternProperties', 'patternProperties', 'schemaMap'],
  ['Dependencies', 'dependencies', 'dependencies'],
  ['AdditionalItems', 'additionalItems', 'schemaOrFlag'],
  ['Definitions', 'definitions', 'schemaMap'],
  ['ExternalDocs', 'externalDocs', 'docs'],
  ['Example', 'example', 'any'],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', 'value'],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', 'flag'],
  ['XIntOrString', 'x-kubernetes-int-or-string', 'flag'],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', 'values'],
  ['XListType', 'x-kubernetes-list-type', 'value'],
  ['XMapType', 'x-kubernetes-map-type', 'value'],
  ['XValidations', 'x-kubernetes-validations', 'rules'],
];

const ruleMembers = [
  ['Rule', 'rule', ''],
  ['Message', 'message', ''],
  ['MessageExpression', 'messageExpression', ''],
  ['Reason', 'reason', null],
  ['FieldPath', 'fieldPath', ''],
  ['OptionalOldSelf', 'optionalOldSelf', null],
] as const;

/** Go's names of the members that a schema has, in Go's order. A zero value counts if the Go field is a pointer. */
export function goNamesOf(schema: JsonObject): string[] {
  const behindPointer: ReadonlySet<Form> = new Set(['value', 'any', 'schema', 'schemaOrList', 'schemaOrFlag', 'docs']);
  return members
    .filter(([, name, form]) =>
      behindPointer.has(form) ? (getKey(schema, name) ?? null) !== null : isSet(getKey(schema, name)),
    )
    .map(([goName]) => goName);
}

/** A schema as Go prints its internal type, for errors whose value is a whole schema. */
export function printedSchema(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    members.map(([goName, name, form]) => [goName, printed(getKey(schema, name) ?? null, form)]),
  );
}

/** A validation rule as Go prints its internal type. */
export function printedRule(rule: JsonObject): JsonObject {
  return Object.fromEntries(ruleMembers.map(([goName, name, zero]) => [goName, rule[name] ?? zero]));
}

/** The value of `items` as Go prints its internal type. */
export function printedItems(value: JsonValue): JsonValue {
  if (value === null) return null;
  return isObject(value)
    ? { Schema: printedSchema(value), JSONSchemas: null }
    : { Schema: null, JSONSchemas: listOf(value) };
}

function printed(value: JsonValue, form: Form): JsonValue {
  switch (form) {
    case 'text':
      return value ?? '';
    case 'flag':
      return value ?? false;
    case 'value':
    case 'values':
      return value;
    case 'any':
      return value === null ? null : atOnce(parseJson(Buffer.from(looseText(value))));
    case 'schema':
      return isObject(value) ? printedSchema(value) : null;
    case 'schemas':
      return listOf(value);
    case 'schemaMap':
      return mapOf(value, (item) => (isObject(item) ? printedSchema(item) : null));
    case 'schemaOrList':
      return printedItems(value);
    case 'schemaOrFlag':
      return value === null
        ? null
        : isObject(value)
          ? { Allows: true, Schema: printedSchema(value) }
          : { Allows: value === true, Schema: null };
    case 'dependencies':
      return mapOf(value, (item) =>
        isObject(item) ? { Schema: printedSchema(item), Property: null } : { Schema: null, Property: item },
      );
    case 'docs':
      return isObject(value) ? { Description: value['description'] ?? '', URL: value['url'] ?? '' } : null;
    case 'rules':
      return Array.isArray(value) ? value.map((rule) => printedRule(isObject(rule) ? rule : {})) : null;
  }
}

function listOf(value: JsonValue): JsonValue {
  return Array.isArray(value) ? value.map((item) => (isObject(item) ? printedSchema(item) : null)) : null;
}

function mapOf(value: JsonValue, print: (item: JsonValue) => JsonValue): JsonValue {
  if (!isObject(value)) return null;
  const out: JsonObject = {};
  for (const key of Object.keys(value).toSorted()) setKey(out, key, print(value[key] as JsonValue));
  return out;
}
