import { RE2JS } from 're2js';
import { isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { textOfPattern } from './text-of-pattern.ts';

/** `full`: every property that may stand beside the others; `least`: what is required. */
export type Extent = 'full' | 'least';

/** Texts that most patterns and formats of published definitions accept. */
const texts = [
  'a',
  'abc',
  '1',
  '10s',
  '1h',
  '10Gi',
  'a.example.com',
  'https://a.example.com',
  'a/b',
  'A',
  '/a',
  '10.0.0.1',
  '10.0.0.0/8',
  '2026-01-01T00:00:00Z',
  'aGk=',
  'v1.2.3',
  '1.2.3',
  'True',
  'a=b',
  '"a"',
];
const textsOfFormats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  byte: 'aGk=',
  duration: '1h',
  uri: 'https://a.example.com',
  hostname: 'a.example.com',
  ipv4: '10.0.0.1',
  ipv6: '::1',
  cidr: '10.0.0.0/8',
  email: 'a@example.com',
  uuid: '550e8400-e29b-41d4-a716-446655440000',
  mac: '01:23:45:67:89:ab',
};

/** A value that the schema allows, always the same one. `index` makes the items of a list differ. */
export function makeValue(schema: JsonObject, extent: Extent, index = 0): JsonValue {
  const whole = withBranches(schema);
  const { enum: allowed } = whole;
  if (Array.isArray(allowed)) return allowed[index % allowed.length] as JsonValue;
  if (whole['x-kubernetes-int-or-string'] === true)
    return typeof whole['pattern'] === 'string' ? makeText(whole, index) : 1;
  switch (whole['type']) {
    case 'string':
      return makeText(whole, index);
    case 'integer':
    case 'number':
      return makeNumber(whole, index);
    case 'boolean':
      return true;
    case 'array':
      return makeList(whole, extent);
    default:
      return makeObject(whole, extent);
  }
}

/** The schema with what its junctors add: all of allOf, the first of anyOf and oneOf. */
function withBranches(schema: JsonObject): JsonObject {
  const list = (key: string): JsonObject[] =>
    Array.isArray(schema[key]) ? schema[key].filter((item) => isObject(item)) : [];
  const branches = [...list('allOf'), ...list('anyOf').slice(0, 1), ...list('oneOf').slice(0, 1)].map((branch) =>
    withBranches(branch),
  );
  const int = schema['x-kubernetes-int-or-string'] === true;
  return branches.reduce((merged, branch) => (int ? merged : mergeSchemas(merged, branch)), schema);
}

function mergeSchemas(a: JsonObject, b: JsonObject): JsonObject {
  const required = [
    ...(Array.isArray(a['required']) ? a['required'] : []),
    ...(Array.isArray(b['required']) ? b['required'] : []),
  ];
  const properties: JsonObject = { ...(isObject(a['properties']) ? a['properties'] : {}) };
  for (const [key, property] of Object.entries(isObject(b['properties']) ? b['properties'] : {})) {
    const known = properties[key];
    setKey(properties, key, isObject(known) && isObject(property) ? mergeSchemas(known, property) : property);
  }
  return {
    ...a,
    ...b,
    ...(required.length > 0 && { required }),
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}

function makeObject(schema: JsonObject, extent: Extent): JsonValue {
  const made: JsonObject =
    schema['x-kubernetes-embedded-resource'] === true
      ? { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'embedded' } }
      : {};
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required: JsonValue[] = Array.isArray(schema['required']) ? schema['required'] : [];
  // Beside these, further properties might break the exclusion.
  const exclusive = schema['oneOf'] !== undefined || schema['not'] !== undefined;
  for (const [key, property] of Object.entries(properties)) {
    if (!isObject(property) || key in made || (!required.includes(key) && (extent === 'least' || exclusive))) continue;
    setKey(made, key, makeValue(property, extent));
  }
  const { additionalProperties } = schema;
  const fewest = typeof schema['minProperties'] === 'number' ? schema['minProperties'] : extent === 'full' ? 1 : 0;
  for (let index = 0; isObject(additionalProperties) && Object.keys(made).length < fewest; index++)
    setKey(made, `key${index}`, makeValue(additionalProperties, extent, index));
  for (const [key, property] of Object.entries(properties)) {
    if (Object.keys(made).length >= fewest || !isObject(property)) break;
    if (!(key in made)) setKey(made, key, makeValue(property, extent));
  }
  if (extent === 'full' && Object.keys(made).length === 0 && schema['x-kubernetes-preserve-unknown-fields'] === true)
    made['anything'] = { at: ['all', 1] };
  return made;
}

function makeList(schema: JsonObject, extent: Extent): JsonValue {
  const { items, minItems, maxItems } = schema;
  const wanted = typeof minItems === 'number' ? minItems : 0;
  const length = Math.min(
    extent === 'full' ? Math.max(wanted, 1) : wanted,
    typeof maxItems === 'number' ? maxItems : Infinity,
  );
  return Array.from({ length }, (_, index) => makeValue(isObject(items) ? items : {}, extent, index));
}

function makeNumber(schema: JsonObject, index: number): number {
  const bound = (key: string): number | undefined => (typeof schema[key] === 'number' ? schema[key] : undefined);
  const least = (bound('minimum') ?? Number.MIN_SAFE_INTEGER) + (schema['exclusiveMinimum'] === true ? 1 : 0);
  const most = (bound('maximum') ?? Number.MAX_SAFE_INTEGER) - (schema['exclusiveMaximum'] === true ? 1 : 0);
  const step = bound('multipleOf') ?? 1;
  return Math.min(Math.max(Math.ceil(least / step) * step, step) + index * step, most);
}

function makeText(schema: JsonObject, index: number): string {
  const { pattern, format, minLength, maxLength } = schema;
  const least = typeof minLength === 'number' ? minLength : 0;
  const most = typeof maxLength === 'number' ? maxLength : Infinity;
  const known = textsOfFormats[typeof format === 'string' ? format : ''];
  if (known !== undefined) return known;
  const suffix = index === 0 ? '' : String(index);
  const candidates = [...texts, ...(typeof pattern === 'string' ? [textOfPattern(pattern)] : [])].flatMap((text) => [
    `${text}${suffix}`,
    `${text}${suffix}`.padEnd(least, 'a'),
  ]);
  const fits = (text: string): boolean =>
    text.length >= least &&
    text.length <= most &&
    (typeof pattern !== 'string' || RE2JS.compile(pattern).matcher(text).find());
  return candidates.find(fits) ?? 'a';
}
