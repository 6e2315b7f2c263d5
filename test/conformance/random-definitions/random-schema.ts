import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Random } from '#test/conformance/random-rules/random.ts';
import { randomValue } from './random-value.ts';

const names = ['a', 'b', 'c', 'd-e', 'f.g', 'h_i', 'kind', 'metadata', 'apiVersion', 'status', 'é', 'constructor'];
const texts = ['one', 'a <text> & "more"', 'two\nlines', ' spaced ', 'Ä'];

const scalars: readonly JsonObject[] = [
  { type: 'string' },
  { type: 'string', minLength: 1, maxLength: 4 },
  { type: 'string', pattern: '^[a-z]+$' },
  { type: 'string', enum: ['a', 'b', ''] },
  ...['date', 'date-time', 'duration', 'byte', 'ipv4', 'uri', 'hostname', 'int64', 'unknown-format'].map((format) => ({
    type: 'string',
    format,
  })),
  { type: 'integer' },
  { type: 'integer', format: 'int32' },
  { type: 'integer', format: 'int64', minimum: 1, maximum: 9, exclusiveMaximum: true },
  { type: 'integer', multipleOf: 2, exclusiveMinimum: false },
  { type: 'integer', enum: [1, 2, 3] },
  { type: 'number' },
  { type: 'number', format: 'float', minimum: -0.5, maximum: 1e21 },
  { type: 'number', format: 'double', multipleOf: 0.5 },
  { type: 'boolean' },
  { type: 'boolean', enum: [true] },
];

const intOrString = { 'x-kubernetes-int-or-string': true };
const eithers: readonly JsonObject[] = [
  intOrString,
  { ...intOrString, anyOf: [{ type: 'integer' }, { type: 'string' }] },
  { ...intOrString, anyOf: [{ type: 'integer' }, { type: 'string' }], pattern: '^[a-z]' },
  { ...intOrString, allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { minimum: 1 }] },
  { ...intOrString, anyOf: [{ minimum: 1 }, { maxLength: 3 }] },
  { ...intOrString, allOf: [{ maximum: 3 }] },
];

/** A structural schema, with an odd member at times. */
export function randomSchema(random: Random, depth: number): JsonObject {
  const make = depth <= 0 ? scalar : random.pick(makers);
  return decorated(random, make(random, depth));
}

/** An object, as `spec` and `status` are. */
export function randomObjectSchema(random: Random, depth: number): JsonObject {
  const properties: JsonObject = {};
  for (let count = 1 + random.below(5); count > 0; count--)
    properties[random.oneOf(3) ? random.pick(names) : random.pick(names.slice(0, 3))] = randomSchema(random, depth - 1);
  const members = Object.keys(properties);
  return {
    type: 'object',
    properties,
    ...(random.oneOf(3) && { required: members.filter(() => random.oneOf(2)) }),
    ...(random.oneOf(12) && { maxProperties: 1 + random.below(5), minProperties: 0 }),
    ...(random.oneOf(8) && { 'x-kubernetes-map-type': random.pick(['atomic', 'granular']) }),
    ...(random.oneOf(8) && { 'x-kubernetes-preserve-unknown-fields': true }),
  };
}

function scalar(random: Random): JsonObject {
  return { ...(random.oneOf(6) ? random.pick(eithers) : random.pick(scalars)) };
}

function mapSchema(random: Random, depth: number): JsonObject {
  return {
    type: 'object',
    additionalProperties: random.oneOf(10) ? true : randomSchema(random, depth - 1),
    ...(random.oneOf(6) && { required: ['a'] }),
    ...(random.oneOf(6) && { 'x-kubernetes-map-type': random.pick(['atomic', 'granular']) }),
  };
}

function listSchema(random: Random, depth: number): JsonObject {
  const more = random.oneOf(8) ? { minItems: 0, maxItems: 3 } : {};
  switch (random.below(5)) {
    case 0:
      return { type: 'array', items: { ...random.pick(scalars) }, 'x-kubernetes-list-type': 'set', ...more };
    case 1: {
      const items = randomObjectSchema(random, depth - 1);
      const properties = { ...(items['properties'] as JsonObject), k: { ...random.pick(scalars) } };
      const list = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
      return { ...list, items: { ...items, properties, required: ['k'] }, ...more };
    }
    case 2: {
      const items = { ...randomObjectSchema(random, depth - 1), 'x-kubernetes-map-type': 'atomic' };
      return { type: 'array', items, 'x-kubernetes-list-type': 'set', ...more };
    }
    default: {
      const list = { type: 'array', items: randomSchema(random, depth - 1), ...more };
      return random.oneOf(3) ? { ...list, 'x-kubernetes-list-type': 'atomic' } : list;
    }
  }
}

function embedded(random: Random, depth: number): JsonObject {
  const made = withoutMetaFields(random, {
    ...randomObjectSchema(random, depth - 1),
    'x-kubernetes-embedded-resource': true,
  });
  if (random.oneOf(3)) return { ...made, 'x-kubernetes-preserve-unknown-fields': true };
  if (!random.oneOf(3)) return made;
  const labels = {
    type: 'object',
    additionalProperties: { type: 'string', ...(random.oneOf(2) && { nullable: true }) },
  };
  return {
    ...made,
    properties: {
      ...(made['properties'] as JsonObject),
      metadata: { type: 'object', properties: { labels, name: { type: 'string' } } },
      kind: { type: 'string', description: 'its own' },
    },
  };
}

/** Of a wrong type in most cases, which definitions may not have. */
function withoutMetaFields(random: Random, schema: JsonObject): JsonObject {
  if (random.oneOf(10)) return schema;
  const { apiVersion: _, kind: __, metadata: ___, ...others } = schema['properties'] as JsonObject;
  const required = (schema['required'] as string[] | undefined)?.filter((name) => name in others);
  const properties = Object.keys(others).length > 0 ? others : { a: { type: 'string' } };
  return { ...schema, properties, ...(required !== undefined && { required }) };
}

function free(random: Random): JsonObject {
  const made = { 'x-kubernetes-preserve-unknown-fields': true };
  return random.oneOf(2) ? made : { ...made, type: 'object' };
}

/** Alternatives over what the object has. */
function combined(random: Random, depth: number): JsonObject {
  const made = randomObjectSchema(random, depth);
  const name = random.pick(Object.keys(made['properties'] as JsonObject));
  const one = (): JsonObject =>
    random.pick([
      { required: [name] },
      { properties: { [name]: { minimum: 1 } } },
      { properties: { [name]: { maxLength: 2 } } },
      { not: { required: [name] } },
      { properties: { [name]: { enum: ['a', 1] } } },
    ]);
  const kind = random.pick(['anyOf', 'allOf', 'oneOf', 'not'] as const);
  return { ...made, [kind]: kind === 'not' ? one() : [one(), one()] };
}

function ruled(random: Random, depth: number): JsonObject {
  const rule = random.pick([
    { rule: 'true' },
    { rule: 'self == oldSelf', message: 'is immutable' },
    { rule: 'self == self', messageExpression: "'x'", reason: 'FieldValueForbidden' },
    { rule: '!oldSelf.hasValue() || oldSelf.value() == self', optionalOldSelf: true },
  ]);
  return { ...randomObjectSchema(random, depth - 1), 'x-kubernetes-validations': [rule] };
}

const makers = [
  scalar,
  scalar,
  scalar,
  randomObjectSchema,
  mapSchema,
  listSchema,
  listSchema,
  embedded,
  free,
  combined,
  ruled,
];

const odd: readonly JsonObject[] = [
  { nullable: false },
  { uniqueItems: false },
  { uniqueItems: true },
  { type: 'object' },
  { type: '' },
  { items: { type: 'string' } },
  { additionalProperties: false },
  { properties: {} },
  { required: [] },
  { enum: [] },
  { anyOf: [] },
  { 'x-kubernetes-list-type': 'set' },
  { 'x-kubernetes-map-type': 'atomic' },
  { 'x-kubernetes-embedded-resource': true },
  { 'x-kubernetes-preserve-unknown-fields': false },
  { 'x-kubernetes-int-or-string': true },
  { $ref: '#/a' },
  { id: 'a' },
  { default: null },
  { maximum: 3 },
  { pattern: '(' },
];

/** With what any schema may have, and at times with what it may not. */
function decorated(random: Random, schema: JsonObject): JsonObject {
  const made: JsonObject = {
    ...schema,
    ...(random.oneOf(6) && { nullable: true }),
    ...(random.oneOf(6) && { description: random.pick(texts) }),
    ...(random.oneOf(20) && { title: random.pick(texts) }),
    ...(random.oneOf(20) && { externalDocs: { url: 'https://example.com', description: random.pick(texts) } }),
  };
  const value = (): JsonValue => randomValue(random, made);
  return {
    ...made,
    ...(random.oneOf(20) && { example: value() }),
    ...(random.oneOf(20) && { default: value() }),
    ...(random.oneOf(300) && random.pick(odd)),
  };
}
