import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Random } from './random.ts';

/** What expressions see: a kind, and what is within. */
export type Shape =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'list'; readonly items: Shape; readonly keyed: boolean }
  | { readonly kind: 'map'; readonly values: Shape }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Shape> };

export type ScalarKind =
  | 'int'
  | 'double'
  | 'string'
  | 'bool'
  | 'timestamp'
  | 'duration'
  | 'bytes'
  | 'intOrString'
  | 'free'
  | 'embedded';

export interface Typed {
  readonly shape: Shape;
  readonly schema: JsonObject;
}

const scalars: readonly (readonly [ScalarKind, JsonObject])[] = [
  ['int', { type: 'integer' }],
  ['int', { type: 'integer', format: 'int32', nullable: true }],
  ['double', { type: 'number' }],
  ['string', { type: 'string', maxLength: 12 }],
  ['string', { type: 'string', maxLength: 12 }],
  ['string', { type: 'string', enum: ['a', 'b', 'ab'] }],
  ['string', { type: 'string', maxLength: 5, nullable: true }],
  ['string', { type: 'string' }],
  ['bool', { type: 'boolean' }],
  ['timestamp', { type: 'string', format: 'date-time' }],
  ['timestamp', { type: 'string', format: 'date' }],
  ['duration', { type: 'string', format: 'duration' }],
  ['bytes', { type: 'string', format: 'byte', maxLength: 16 }],
  ['intOrString', { 'x-kubernetes-int-or-string': true }],
  ['free', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
  [
    'embedded',
    { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  ],
];

/** Some are no identifiers of CEL, or reserved. */
const names = ['a', 'b', 'c', 'in', 'x-y', 'namespace', 'd.e', '__f', 'g_h', '_', 'i/j'];

/** A structural schema of a few fields. */
export function randomObject(random: Random, depth: number): Typed {
  const fields = new Map<string, Shape>();
  const properties: JsonObject = {};
  for (let count = 2 + random.below(4); count > 0; count--) {
    const name = random.oneOf(4) ? random.pick(names) : random.pick(names.slice(0, 3));
    const { shape, schema } = randomTyped(random, depth - 1);
    fields.set(name, shape);
    properties[name] = schema;
  }
  const required = random.oneOf(3) ? [random.pick([...fields.keys()])] : [];
  return {
    shape: { kind: 'object', fields },
    schema: {
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
      ...(random.oneOf(8) ? { 'x-kubernetes-map-type': 'atomic' } : {}),
    },
  };
}

function randomTyped(random: Random, depth: number): Typed {
  const choice = depth <= 0 ? 0 : random.below(10);
  if (choice < 5) {
    const [kind, schema] = random.pick(scalars);
    return { shape: { kind }, schema: { ...schema } };
  }
  if (choice < 7) return randomList(random, depth);
  if (choice === 7) {
    const { shape, schema } = randomTyped(random, depth - 1);
    return {
      shape: { kind: 'map', values: shape },
      schema: { type: 'object', additionalProperties: schema, ...(random.oneOf(3) ? {} : { maxProperties: 4 }) },
    };
  }
  return randomObject(random, depth);
}

function randomList(random: Random, depth: number): Typed {
  const bound = random.oneOf(3) ? {} : { maxItems: 5 };
  if (random.oneOf(3)) {
    const [kind, schema] = random.pick(scalars.slice(0, 5));
    return {
      shape: { kind: 'list', items: { kind }, keyed: false },
      schema: { type: 'array', items: { ...schema, nullable: false }, 'x-kubernetes-list-type': 'set', ...bound },
    };
  }
  if (random.oneOf(2)) {
    const { shape, schema } = randomTyped(random, depth - 1);
    return { shape: { kind: 'list', items: shape, keyed: false }, schema: { type: 'array', items: schema, ...bound } };
  }
  const { shape, schema } = randomObject(random, depth - 1);
  const fields = new Map([
    ...(shape as { fields: ReadonlyMap<string, Shape> }).fields,
    ['k', { kind: 'string' }] as const,
  ]);
  const items: JsonObject = {
    ...schema,
    required: ['k'],
    properties: { ...(schema['properties'] as JsonObject), k: { type: 'string', maxLength: 3 } },
  };
  delete items['x-kubernetes-map-type'];
  return {
    shape: { kind: 'list', items: { kind: 'object', fields }, keyed: true },
    schema: { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], ...bound },
  };
}
