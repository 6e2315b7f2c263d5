import type { JsonObject } from '#shared/apimachinery/json/json.ts';

const text = { type: 'string' };
const keyed = { type: 'object', required: ['k'], properties: { k: text } };
const embedded = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
};

/** The property `a` of an object. */
function a(schema: JsonObject): JsonObject {
  return { properties: { a: schema } };
}

/** The extra rules of every junctor: each may not say these things. */
function inJunctors(name: string, schema: JsonObject, type: JsonObject = text): Record<string, JsonObject> {
  return {
    [`${name} below anyOf`]: a({ ...type, anyOf: [schema] }),
    [`${name} below allOf`]: a({ ...type, allOf: [schema] }),
    [`${name} below oneOf`]: a({ ...type, oneOf: [schema] }),
    [`${name} below not`]: a({ ...type, not: schema }),
  };
}

/** Schemas at the root of a version (`type: object` is added): each breaks a rule, or stands at its edge. */
export const schemaCases: Readonly<Record<string, JsonObject>> = {
  ...inJunctors('a type', text),
  ...inJunctors('a default', { default: 'x' }),
  ...inJunctors('a title', { title: 't' }),
  ...inJunctors('a description', { description: 'd' }),
  ...inJunctors('nullable', { nullable: true }),
  ...inJunctors('preserved fields', { 'x-kubernetes-preserve-unknown-fields': true }, { type: 'object' }),
  ...inJunctors('an embedded resource', { 'x-kubernetes-embedded-resource': true }, { type: 'object' }),
  ...inJunctors('int or string', { 'x-kubernetes-int-or-string': true }),
  ...inJunctors('list map keys', { 'x-kubernetes-list-map-keys': ['k'] }, { type: 'array', items: keyed }),
  ...inJunctors('a list type', { 'x-kubernetes-list-type': 'atomic' }, { type: 'array', items: text }),
  ...inJunctors('a map type', { 'x-kubernetes-map-type': 'atomic' }, { type: 'object' }),
  ...inJunctors('further properties', { additionalProperties: true }, { type: 'object' }),
  ...inJunctors(
    'further properties of a schema',
    { additionalProperties: { maxLength: 3 } },
    { type: 'object', additionalProperties: text },
  ),
  ...inJunctors('a broken pattern', { pattern: '(' }),
  ...inJunctors('an undeclared property', { properties: { b: { minLength: 1 } } }, { type: 'object' }),
  ...inJunctors('undeclared items', { items: { minLength: 1 } }),
  ...inJunctors(
    'metadata',
    { properties: { metadata: { required: ['name'] } } },
    { type: 'object', properties: { metadata: { type: 'object' } } },
  ),
  ...inJunctors('a reference', { $ref: '#/x' }),
  ...inJunctors('items as a list', { items: [{ minLength: 1 }] }, { type: 'array', items: text }),
  ...inJunctors('unique items', { uniqueItems: true }, { type: 'array', items: text }),
  'junctors in junctors': a({ ...text, anyOf: [{ allOf: [{ oneOf: [{ not: { title: 't' } }] }] }] }),
  'undeclared property deep in junctors': a({
    type: 'object',
    properties: { b: { type: 'object' } },
    anyOf: [{ allOf: [{ properties: { b: { properties: { c: { minimum: 1 } } } } }] }],
  }),
  'undeclared property of items': a({
    type: 'array',
    items: { type: 'object' },
    allOf: [{ items: { properties: { b: { minimum: 1 } } } }],
  }),
  'type in properties of a junctor': a({
    type: 'object',
    properties: { b: text },
    allOf: [{ properties: { b: text } }],
  }),
  'root without type': { type: '' },
  'root of another type': { type: 'array', items: text },
  'root of a number': { type: 'number' },
  'root that is an int or string': { type: '', 'x-kubernetes-int-or-string': true },
  'root that keeps unknown fields': { 'x-kubernetes-preserve-unknown-fields': true },
  'root that is embedded': { 'x-kubernetes-embedded-resource': true },
  'further properties without schema at the root': { additionalProperties: true },
  'no further properties at the root': { additionalProperties: false },
  'broken pattern': a({ ...text, pattern: '[' }),
  'broken repetition': a({ ...text, pattern: 'a{3,1}' }),
  'look ahead': a({ ...text, pattern: '^(?!a)' }),
  'back reference': a({ ...text, pattern: '(a)\\1' }),
  'open group': a({ ...text, pattern: '(?P<x' }),
  'bad class': a({ ...text, pattern: '[z-a]' }),
  'trailing backslash': a({ ...text, pattern: 'a\\' }),
  'nothing to repeat': a({ ...text, pattern: '*a' }),
  'closed group': a({ ...text, pattern: 'a)' }),
  'unknown class': a({ ...text, pattern: '\\pX' }),
  'large repetition': a({ ...text, pattern: 'a{1001}' }),
  'bad escape': a({ ...text, pattern: '\\y' }),
  'nested array without items': a({ type: 'array', items: { type: 'array' } }),
  'map of arrays without items': a({ type: 'object', additionalProperties: { type: 'array' } }),
  'int or string that is embedded': a({ 'x-kubernetes-int-or-string': true, 'x-kubernetes-embedded-resource': true }),
  'int or string with a type': a({ type: 'string', 'x-kubernetes-int-or-string': true }),
  'int or string the other way round': a({ 'x-kubernetes-int-or-string': true, anyOf: [text, { type: 'integer' }] }),
  'int or string with three types': a({
    'x-kubernetes-int-or-string': true,
    anyOf: [{ type: 'integer' }, text, { type: 'boolean' }],
  }),
  'types of int or string elsewhere': a({ ...text, anyOf: [{ type: 'integer' }, text] }),
  'int or string in the second allOf': a({
    'x-kubernetes-int-or-string': true,
    allOf: [{ pattern: 'a' }, { anyOf: [{ type: 'integer' }, text] }],
  }),
  'embedded string': a({
    type: 'string',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  }),
  'embedded with kind and apiVersion of other types': a({
    ...embedded,
    properties: { kind: { type: 'integer' }, apiVersion: { type: 'boolean' }, metadata: text },
  }),
  'embedded with metadata of its own': a({
    ...embedded,
    properties: {
      metadata: { type: 'object', properties: { labels: { type: 'object', additionalProperties: text } } },
    },
  }),
  'embedded in metadata': { properties: { metadata: embedded } },
  'embedded in embedded metadata': a({
    ...embedded,
    properties: { metadata: { ...embedded, properties: { name: text } } },
  }),
  'metadata with generateName': {
    properties: { metadata: { type: 'object', properties: { generateName: { ...text, maxLength: 4 } } } },
  },
  'metadata with both names': {
    properties: { metadata: { type: 'object', properties: { name: text, generateName: text } } },
  },
  'metadata with a rule': { properties: { metadata: { type: 'object', required: ['name'] } } },
  'metadata with a description': { properties: { metadata: { type: 'object', description: 'd' } } },
  'metadata that keeps fields': {
    properties: { metadata: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  },
  'metadata with a name and labels': {
    properties: {
      metadata: { type: 'object', properties: { name: text, labels: { type: 'object', additionalProperties: text } } },
    },
  },
  'metadata without type': { properties: { metadata: {} } },
  'kind without type': { properties: { kind: {} } },
  'metadata in a field': a({ type: 'object', properties: { metadata: text } }),
  'defaults of kind and apiVersion': {
    properties: {
      kind: { ...text, default: 'K' },
      apiVersion: { ...text, default: 'v' },
      metadata: { type: 'object', default: {} },
    },
  },
  id: a({ ...text, id: 'x' }),
  schema: a({ ...text, $schema: 'x' }),
  reference: a({ ...text, $ref: 'x' }),
  'empty reference': a({ ...text, $ref: '' }),
  'additional items': a({ type: 'array', items: text, additionalItems: { type: 'string' } }),
  'no additional items': a({ type: 'array', items: text, additionalItems: false }),
  'pattern properties': a({ type: 'object', patternProperties: { a: text } }),
  'empty pattern properties': a({ type: 'object', patternProperties: {} }),
  definitions: a({ type: 'object', definitions: { b: { type: 'nothing' } } }),
  'dependencies on keys': a({ type: 'object', dependencies: { b: ['c'] } }),
  'dependencies on a schema': a({ type: 'object', dependencies: { b: { type: 'nothing' } } }),
  'empty dependencies': a({ type: 'object', dependencies: {} }),
  'properties beside any further ones': a({ type: 'object', properties: { b: text }, additionalProperties: true }),
  'empty properties beside further ones': a({ type: 'object', properties: {}, additionalProperties: text }),
  'unique items that are false': a({ type: 'array', uniqueItems: false, items: text }),
  'set of maps that are atomic': a({
    type: 'array',
    'x-kubernetes-list-type': 'set',
    items: { type: 'object', 'x-kubernetes-map-type': 'atomic' },
  }),
  'set of granular maps': a({
    type: 'array',
    'x-kubernetes-list-type': 'set',
    items: { type: 'object', 'x-kubernetes-map-type': 'granular' },
  }),
  'set of atomic lists': a({
    type: 'array',
    'x-kubernetes-list-type': 'set',
    items: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: text },
  }),
  'set of nulls': a({ type: 'array', 'x-kubernetes-list-type': 'set', items: { ...text, nullable: true } }),
  'set without items': a({ type: 'array', 'x-kubernetes-list-type': 'set' }),
  'map without items': a({ type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }),
  'map with a list of items': a({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: [keyed],
  }),
  'map of untyped items': a({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { 'x-kubernetes-preserve-unknown-fields': true },
  }),
  'map with a key that is a list': a({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', required: ['k'], properties: { k: { type: 'array', items: text } } },
  }),
  'map with a default key': a({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', properties: { k: { ...text, default: 'x' } } },
  }),
  'keys of a set': a({
    type: 'array',
    'x-kubernetes-list-type': 'set',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', 'x-kubernetes-map-type': 'atomic' },
  }),
  'list type of a string': a({ ...text, 'x-kubernetes-list-type': 'set' }),
  'map type of nothing': a({ 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-map-type': 'granular' }),
  'empty list type': a({ type: 'array', items: text, 'x-kubernetes-list-type': '' }),
  'empty map type': a({ type: 'object', 'x-kubernetes-map-type': '' }),
  'map with two keys that are missing': a({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['x', 'y'],
    items: keyed,
  }),
  'default with unknown fields in a list': a({
    type: 'array',
    default: [{ b: 'x', c: 'y' }],
    items: { type: 'object', properties: { b: text } },
  }),
  'default null': a({ ...text, default: null }),
  'nullable default null': a({ ...text, nullable: true, default: null }),
  'default with a null': a({ type: 'object', default: { b: null }, properties: { b: text } }),
  'default with an allowed null': a({
    type: 'object',
    default: { b: null },
    properties: { b: { ...text, nullable: true } },
  }),
  'default of a wrong format': a({ ...text, format: 'date-time', default: 'x' }),
  'default that lacks a required field': a({ type: 'object', default: {}, required: ['b'], properties: { b: text } }),
  'default that a default completes': a({
    type: 'object',
    default: {},
    required: ['b'],
    properties: { b: { ...text, default: 'x' } },
  }),
  'default that breaks junctors': a({ type: 'integer', default: 3, anyOf: [{ minimum: 5 }, { maximum: 1 }] }),
  'default with a doubled item': a({
    type: 'array',
    'x-kubernetes-list-type': 'set',
    default: ['x', 'x'],
    items: text,
  }),
  'default in items': a({ type: 'array', items: { type: 'integer', default: 'x' } }),
  'default in further properties': a({ type: 'object', additionalProperties: { type: 'integer', default: 'x' } }),
  'default that keeps unknown fields': a({
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    default: { b: 1 },
  }),
  'default at the root': { default: { x: 1 } },
  'default of an int or string': a({ 'x-kubernetes-int-or-string': true, default: true }),
  'default of two rules': a({ ...text, default: 'abc', maxLength: 2, pattern: '^x' }),
  'default of an embedded resource': a({
    ...embedded,
    default: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } },
  }),
  'default of an embedded resource without kind': a({ ...embedded, default: { apiVersion: 'v1' } }),
  'default of an embedded resource with broken metadata': a({
    ...embedded,
    default: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'A/', labels: { '-': 'x' } } },
  }),
  'default of an embedded resource with metadata of a wrong type': a({
    ...embedded,
    default: { apiVersion: 'v1', kind: 'Pod', metadata: { labels: 'x' } },
  }),
  'default of an embedded resource with unknown metadata': a({
    ...embedded,
    default: { apiVersion: 'v1', kind: 'Pod', metadata: { unknown: 'x' } },
  }),
  'default of embedded kind': a({
    ...embedded,
    properties: { kind: { ...text, default: 'Pod' }, apiVersion: { ...text, default: 'v1' } },
  }),
  'default of a broken embedded kind': a({ ...embedded, properties: { kind: { ...text, default: '_' } } }),
  'default of a broken embedded apiVersion': a({
    ...embedded,
    properties: { apiVersion: { ...text, default: 'a/b/c' } },
  }),
  'default of embedded metadata': a({
    ...embedded,
    properties: { metadata: { type: 'object', properties: { name: { ...text, default: 'x' } } } },
  }),
  'default of a broken embedded name': a({
    ...embedded,
    properties: { metadata: { type: 'object', properties: { name: { ...text, default: 'A_' } } } },
  }),
  'default of a broken embedded namespace': a({
    ...embedded,
    properties: { metadata: { type: 'object', properties: { namespace: { ...text, default: 'A_' } } } },
  }),
  'default of embedded labels of a wrong type': a({
    ...embedded,
    properties: {
      metadata: {
        type: 'object',
        properties: { labels: { type: 'object', additionalProperties: { type: 'integer' }, default: { a: 1 } } },
      },
    },
  }),
  'default of broken embedded finalizers': a({
    ...embedded,
    properties: {
      metadata: { type: 'object', properties: { finalizers: { type: 'array', items: text, default: ['a_b/c/d'] } } },
    },
  }),
  'default of embedded labels in further properties': a({
    ...embedded,
    properties: {
      metadata: {
        type: 'object',
        properties: { labels: { type: 'object', additionalProperties: { ...text, default: 'x' } } },
      },
    },
  }),
  'default of the whole embedded metadata': a({
    ...embedded,
    properties: { metadata: { type: 'object', default: { name: 'A_', unknown: 1 } } },
  }),
  'default in items of embedded resources': a({
    type: 'array',
    items: { ...embedded, properties: { kind: { ...text, default: '_' } } },
  }),
  'enum of another type': a({ type: 'integer', enum: ['a'] }),
  'doubled enum': a({ ...text, enum: ['a', 'a'] }),
  'minimum above maximum': a({ type: 'integer', minimum: 5, maximum: 1 }),
  'negative lengths': a({ ...text, minLength: -1, maxLength: -2 }),
  'multiple of zero': a({ type: 'integer', multipleOf: 0 }),
  'multiple of a negative': a({ type: 'integer', multipleOf: -2 }),
  'required but not declared': { required: ['nothing'] },
  'format of another type': a({ type: 'integer', format: 'date-time' }),
  'unknown format': a({ ...text, format: 'strange' }),
  'several at once': {
    type: '',
    additionalProperties: {},
    properties: {
      b: { type: 'array' },
      c: { type: 'nothing', nullable: true, anyOf: [{ title: 'x' }] },
      metadata: text,
    },
  },
};

/** Rules at the root that hold when the version has a status subresource. */
export const statusSchemaCases: Readonly<Record<string, JsonObject>> = {
  'any of at the root beside a status': { anyOf: [{ required: ['x'] }], properties: { x: text } },
  'map type at the root beside a status': { 'x-kubernetes-map-type': 'atomic' },
  'required and bounds at the root beside a status': { required: ['x'], properties: { x: text } },
  'fewest properties at the root beside a status': { minProperties: 1 },
  'unknown fields at the root beside a status': { 'x-kubernetes-preserve-unknown-fields': true },
  'enum at the root beside a status': { enum: [{}] },
  'default at the root beside a status': { default: {} },
  'wrong type at the root beside a status': { type: 'string' },
  'nullable root beside a status': { nullable: true },
  'example at the root beside a status': {
    example: { a: 1 },
    externalDocs: { url: 'x' },
    title: 't',
    description: 'd',
  },
  'type comes after another rule at the root beside a status': { type: 'array', items: text, not: { required: ['x'] } },
};
