import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Random } from '#test/conformance/random-rules/random.ts';

const wrong: readonly JsonValue[] = [null, 'x', '', 1, 1.5, -1, true, [], {}, [null], { a: null }];
const ofFormat: Readonly<Record<string, readonly string[]>> = {
  date: ['2026-01-01', '2026-02-30'],
  'date-time': ['2026-01-01T00:00:00Z', '2020-01-01T00:00:00.5+01:00', '2026-01-01'],
  duration: ['1h', '3 weeks', 'x'],
  byte: ['YWJj', '', '%'],
  ipv4: ['10.0.0.1', '10.0.0'],
  uri: ['https://a/b', 'a b'],
  hostname: ['a.example.com', '-a'],
};
const metadatas: readonly JsonValue[] = [
  {},
  { name: 'n' },
  { name: 'n', labels: { a: 'b', c: null } },
  { labels: null, annotations: { a: 'b' }, unknown: 1 },
  { creationTimestamp: null, generation: 1, finalizers: ['a/b'] },
  { name: 'Not_A.name', labels: { '-': 'x' } },
];

/** A value that the schema allows, in most cases. */
export function randomValue(random: Random, schema: JsonObject): JsonValue {
  if (random.oneOf(50)) return structuredClone(random.pick(wrong));
  if (schema['nullable'] === true && random.oneOf(3)) return null;
  const { enum: allowed } = schema;
  if (Array.isArray(allowed) && allowed.length > 0) return random.pick(allowed);
  if (schema['x-kubernetes-int-or-string'] === true) return random.pick([1, 5, 'abc', '50%', 0]);
  switch (schema['type']) {
    case 'string':
      return random.pick(ofFormat[String(schema['format'])] ?? ['a', 'b', 'abc', 'é', 'x <y>', '1']);
    case 'integer':
      return random.pick([0, 1, 2, 4, 8, 100, -3]);
    case 'number':
      return random.pick([0, 1, 0.5, -0.5, 1.5, 1e20, 1e21, 1e-7]);
    case 'boolean':
      return random.oneOf(2);
    case 'array':
      return listValue(random, schema);
    case 'object':
      return objectValue(random, schema);
    default:
      return structuredClone(random.pick<JsonValue>([{ a: 1, b: { c: [1, 'x', null] } }, 'free', [1, { a: null }], 7]));
  }
}

function listValue(random: Random, { items }: JsonObject): JsonValue[] {
  return Array.from({ length: random.below(4) }, () => randomValue(random, isObject(items) ? items : {}));
}

function objectValue(random: Random, schema: JsonObject): JsonObject {
  const { properties, additionalProperties, required } = schema;
  const made: JsonObject = {};
  const needed = Array.isArray(required) ? required : [];
  for (const [name, property] of Object.entries(isObject(properties) ? properties : {}))
    if (isObject(property) && !random.oneOf(needed.includes(name) ? 20 : 4)) made[name] = randomValue(random, property);
  if (additionalProperties !== undefined)
    for (const name of ['a', 'x-y', 'z'])
      if (random.oneOf(2))
        made[name] = isObject(additionalProperties) ? randomValue(random, additionalProperties) : random.pick([1, 'x']);
  if (schema['x-kubernetes-embedded-resource'] === true) {
    if (!random.oneOf(12)) made['apiVersion'] = random.pick(['v1', 'apps/v1', 'v1', 'v1']);
    if (!random.oneOf(12)) made['kind'] = random.pick(['Pod', 'Pod', 'Pod', 'bad_']);
    if (!random.oneOf(3)) made['metadata'] = structuredClone(random.pick(metadatas));
    else delete made['metadata'];
  }
  if (random.oneOf(12)) made['unknown'] = structuredClone(random.pick(wrong));
  return made;
}

/** The value with one of its members made anew, added or left out. */
export function changedValue(random: Random, schema: JsonObject, value: JsonValue): JsonValue {
  const { properties } = schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  if (!isObject(value) || names.length === 0 || random.oneOf(6)) return randomValue(random, schema);
  const name = random.pick(names);
  const property = (properties as JsonObject)[name];
  const { [name]: old, ...others } = value;
  if (random.oneOf(4) || !isObject(property)) return others;
  return { ...others, [name]: old === undefined ? randomValue(random, property) : changedValue(random, property, old) };
}
