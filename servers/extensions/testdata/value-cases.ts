import type { JsonObject, JsonValue } from '../../../shared/apimachinery/json.ts';

const formats = ['date', 'date-time', 'duration', 'uuid', 'ipv4', 'ipv6', 'cidr', 'mac', 'uri', 'email', 'hostname', 'byte', 'hexcolor', 'ssn', 'isbn', 'creditcard', 'k8s-short-name', 'bsonobjectid'];

/** Properties of `spec` in the definition under which the values are tried. */
export const valueProperties: JsonObject = {
  string: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]+$' },
  integer: { type: 'integer', minimum: 2, maximum: 9, multipleOf: 3 },
  exclusive: { type: 'integer', minimum: 2, maximum: 9, exclusiveMinimum: true, exclusiveMaximum: true },
  int32: { type: 'integer', format: 'int32' },
  number: { type: 'number', minimum: 0.5, maximum: 1.5, multipleOf: 0.25 },
  boolean: { type: 'boolean' },
  enum: { type: 'string', enum: ['a', 'b'] },
  enumOfNumbers: { type: 'integer', enum: [1, 2] },
  list: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'integer' } },
  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
  map: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], items: { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: { type: 'integer' } } } },
  object: { type: 'object', required: ['a', 'b'], minProperties: 1, maxProperties: 2, properties: { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' } } },
  labels: { type: 'object', additionalProperties: { type: 'string' } },
  bounds: { type: 'integer', minimum: -1_000_000, maximum: 1_000_000, multipleOf: 2 },
  wide: { type: 'number', minimum: -1_234_567.5, maximum: 1_000_000, multipleOf: 0.5 },
  enumOfFloats: { type: 'number', exclusiveMaximum: true, maximum: 12_345_678_901, enum: [1, 2_000_000, 1.5] },
  mixedEnum: { 'x-kubernetes-int-or-string': true, enum: ['A', 'xy', 7, 8.5] },
  float32: { type: 'number', format: 'float' },
  hundredths: { type: 'number', multipleOf: 0.01 },
  nullable: { type: 'string', nullable: true },
  intOrString: { 'x-kubernetes-int-or-string': true },
  anyOf: { type: 'integer', anyOf: [{ minimum: 10 }, { maximum: 1 }] },
  oneOf: { type: 'integer', oneOf: [{ minimum: 2 }, { minimum: 5 }] },
  allOf: { type: 'integer', allOf: [{ minimum: 2 }, { maximum: 5 }] },
  not: { type: 'integer', not: { minimum: 5 } },
  embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  ...Object.fromEntries(formats.map((format) => [format, { type: 'string', format }])),
};

/** What Go holds as int64 and as float64, of all sizes, and what is almost an integer. */
const numbers = [65, 7, 8.5, 1.25, 2.000_000_000_1, -2.000_000_000_1, 0.07, 1.005, 1_000_001, 2_000_000.5, -2_000_000, -2_000_000.5, 12_345_678_901, 12_345_678_902.5, 1.2e19, 1e30, -1e30, 1e-7];

/** Values of one property each; what the reference says to them is in `recorded.json`. */
export const valueCases: readonly (readonly [property: string, value: JsonValue])[] = [
  ['string', 'a'], ['string', 'abcde'], ['string', 'äöü'], ['string', 'A1'], ['string', 5], ['string', true], ['string', ['a']], ['string', 'abc'],
  ['integer', 'x'], ['integer', 1], ['integer', 12], ['integer', 4], ['integer', 3.5], ['integer', 3], ['integer', {}],
  ['exclusive', 2], ['exclusive', 9], ['exclusive', 5], ['int32', 3_000_000_000], ['int32', 5],
  ['number', 'x'], ['number', 0.25], ['number', 2], ['number', 0.6], ['number', 1], ['boolean', 'true'], ['boolean', 1], ['boolean', false],
  ['enum', 'c'], ['enum', 1], ['enum', 'a'], ['enumOfNumbers', 3], ['enumOfNumbers', 1],
  ['list', []], ['list', [1, 2, 3]], ['list', ['a']], ['list', 'a'], ['list', [1]], ['set', ['a', 'b', 'a', 'a']], ['set', [1]],
  ['map', [{ k: 'a' }, { k: 'a' }]], ['map', [{}]], ['map', ['x']], ['map', [{ k: 'a', v: 'x' }]],
  ['object', {}], ['object', { a: 'x' }], ['object', { a: 1, b: 'x', c: 'y' }], ['object', 'x'], ['object', { a: 'x', b: 'y' }],
  ['labels', { a: 1 }], ['labels', { a: 'b' }], ['nullable', null], ['nullable', 1], ['intOrString', true], ['intOrString', 5], ['intOrString', '5%'],
  ['anyOf', 5], ['anyOf', 20], ['oneOf', 1], ['oneOf', 7], ['oneOf', 3], ['allOf', 1], ['allOf', 3], ['not', 7], ['not', 3],
  ...['bounds', 'wide', 'enumOfFloats', 'mixedEnum', 'float32', 'hundredths', 'int32', 'enumOfNumbers', 'string'].flatMap((property) => numbers.map((number): [string, JsonValue] => [property, number])),
  ['embedded', {}], ['embedded', { apiVersion: 'a/b/c', kind: 'bad_' }], ['embedded', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'A/b', labels: { '-': 'x' } } }], ['embedded', { apiVersion: 'v1', kind: 'Pod' }],
  ['date', '2026-02-30'], ['date', '2026-02-28'], ['date-time', '2026-02-28 10:00:00'], ['date-time', '2026-02-28T10:00:00Z'], ['date-time', '2026-02-28T25:00:00Z'],
  ['duration', '1 fortnight'], ['duration', '5m'], ['duration', '22 ns'], ['duration', '3 weeks'], ['duration', 'x'], ['uuid', 'x'], ['uuid', '550e8400-e29b-41d4-a716-446655440000'],
  ['ipv4', '1.2.3'], ['ipv4', '01.2.3.4'], ['ipv4', '1.2.3.4'], ['ipv6', '1.2.3.4'], ['ipv6', '::1'], ['cidr', '1.2.3.4'], ['cidr', '1.2.3.4/33'], ['cidr', '1.2.3.4/24'],
  ['mac', 'x'], ['mac', '01:23:45:67:89:ab'], ['mac', '0123.4567.89ab'], ['uri', 'x'], ['uri', '/a'], ['uri', 'https://a/b?c=d'], ['uri', 'a b'],
  ['email', 'a'], ['email', 'a@b'], ['email', 'A <a@b.c>'], ['hostname', 'a_b'], ['hostname', 'a.example.com'], ['hostname', '-a'],
  ['byte', '%'], ['byte', 'aGk='], ['hexcolor', '#12'], ['hexcolor', '#abc'], ['ssn', '1'], ['ssn', '111-22-3333'], ['isbn', '1'], ['isbn', '978-0321751041'], ['isbn', '0321751043'],
  ['creditcard', '1'], ['creditcard', '4111-1111-1111-1111'], ['k8s-short-name', 'A'], ['k8s-short-name', 'a-b'], ['bsonobjectid', 'x'], ['bsonobjectid', '507f1f77bcf86cd799439011'],
];
