import type { JsonObject } from '#shared/apimachinery/json/json.ts';

const text = { type: 'string' };
const number = { type: 'integer' };
const nullable = { nullable: true };
const either = { 'x-kubernetes-int-or-string': true };
const embedded = { 'x-kubernetes-embedded-resource': true };
const free = { 'x-kubernetes-preserve-unknown-fields': true };
const objectOf = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
const listOf = (items: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'array', items, ...more });
const mapOf = (values: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  additionalProperties: values,
  ...more,
});
const resource = objectOf({ data: text }, embedded);
const declared = objectOf(
  {
    kind: { ...text, enum: ['Pod'], description: 'its own' },
    apiVersion: { ...text, description: 'its own' },
    metadata: { type: 'object', description: 'its own', properties: { labels: mapOf(text) } },
    spec: { type: 'object', ...nullable },
  },
  { ...embedded, required: ['apiVersion', 'spec'] },
);
const anyOf = [number, text];

/** Schemas of properties of `spec`; how the reference's documents have them is in `recorded.json`. */
export const documentCases: Readonly<Record<string, JsonObject>> = {
  resource,
  declared,
  nullableResource: { ...declared, ...nullable },
  freeResource: { ...declared, ...free },
  bareResource: { type: 'object', ...embedded, ...free },
  resources: listOf(resource),
  resourcesByName: mapOf(declared),
  nested: objectOf({ inner: objectOf({ pod: resource, pods: listOf(declared) }, embedded) }),
  nullable: { ...text, ...nullable },
  nullableObject: objectOf({ a: text, b: number }, { ...nullable, required: ['a'] }),
  nullableMap: mapOf(text, nullable),
  nullableList: listOf(text, nullable),
  nullableItems: listOf({ ...text, ...nullable }),
  nullableObjects: listOf(objectOf({ a: text }, nullable)),
  nullableValues: mapOf({ ...number, ...nullable }, { required: ['a'] }),
  nullableProperties: objectOf(
    { a: text, b: { ...text, ...nullable }, c: { ...number, ...nullable } },
    { required: ['a', 'b', 'c'] },
  ),
  nullableProperty: objectOf({ a: { ...text, ...nullable } }, { required: ['a'] }),
  deepNullable: listOf(mapOf(listOf(objectOf({ a: { ...text, ...nullable }, b: text }, { required: ['b', 'a'] })))),
  free: objectOf({ a: text }, { ...free, required: ['a'] }),
  bareFree: { type: 'object', ...free },
  untyped: free,
  freeList: listOf(text, free),
  freeItems: listOf(free),
  freeValues: mapOf({ type: 'object', ...free }),
  freeNullable: { ...objectOf({ a: text }), ...free, ...nullable },
  open: { type: 'object', additionalProperties: true },
  either,
  eitherAny: { ...either, anyOf },
  eitherOther: { ...either, anyOf: [{ pattern: '^a' }, { minimum: 1 }] },
  eitherAll: { ...either, allOf: [{ anyOf }, { anyOf: [{ minLength: 1 }] }] },
  eitherOtherAll: { ...either, allOf: [{ pattern: '^a' }] },
  eitherBoth: { ...either, anyOf: [{ pattern: '^a' }], allOf: [{ maximum: 3 }] },
  eithers: listOf(either),
  nullableEither: { ...either, ...nullable },
  combined: {
    ...objectOf({ a: number, b: listOf(text) }),
    oneOf: [{ properties: { a: { minimum: 1 } } }, { not: { required: ['a'] } }],
    anyOf: [{ required: ['b', 'a'] }],
    allOf: [{ properties: { b: { items: { maxLength: 3 }, minItems: 1 } } }],
    not: { properties: { a: { enum: [3] } } },
  },
  preset: objectOf({ a: { ...text, default: 'x' }, b: listOf(number, { default: [1, 2] }) }, { default: {} }),
  described: { ...text, description: 'a <text>', title: 'Title', example: { a: 1 }, externalDocs: { url: 'http://a' } },
  emptyExamples: objectOf({
    text: { ...text, example: '' },
    list: listOf(text, { example: [] }),
    map: mapOf(text, { example: {} }),
    zero: { ...number, example: 0, default: 0 },
    false: { type: 'boolean', example: false, default: false },
  }),
  numbers: {
    ...number,
    format: 'int32',
    minimum: 1,
    maximum: 9,
    exclusiveMaximum: true,
    multipleOf: 2,
  },
  texts: { ...text, format: 'date', pattern: '^a$', minLength: 0, maxLength: 3, enum: ['a', 'b'] },
  set: listOf(text, { 'x-kubernetes-list-type': 'set', maxItems: 3, minItems: 0 }),
  byKey: listOf(objectOf({ k: text, v: number }, { required: ['k'] }), {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
  }),
  atomic: mapOf(number, { 'x-kubernetes-map-type': 'atomic', minProperties: 1, maxProperties: 2 }),
  ruled: {
    ...number,
    'x-kubernetes-validations': [
      { rule: 'self > 1', message: 'm', reason: 'FieldValueInvalid' },
      { rule: 'self < 9', messageExpression: "'x'" },
    ],
  },
};

/** The definition that has them all. */
export const documentDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'shapes.documents.example.com' },
  spec: {
    group: 'documents.example.com',
    scope: 'Namespaced',
    names: { plural: 'shapes', singular: 'shape', kind: 'Shape', listKind: 'ShapeList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: objectOf({
            metadata: { type: 'object', properties: { name: { ...text, maxLength: 3 } } },
            spec: objectOf({ ...documentCases }, { required: ['nullable', 'either'] }),
          }),
        },
      },
    ],
  },
};
