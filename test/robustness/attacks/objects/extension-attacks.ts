import { list, map, nested } from './hostile-object.ts';
import { definitions, things } from './small-objects.ts';
import type { SpecAttack } from './spec-attacks.ts';

function ofThing(name: string, field: string, value: (bytes: number) => string): SpecAttack {
  return { kind: things, name, members: (bytes) => [['spec', `{"${field}":${value(bytes)}}`]] };
}

const items =
  (item: (index: number) => string) =>
  (bytes: number): string =>
    list(bytes, item);

export const thingAttacks: readonly SpecAttack[] = [
  ofThing(
    'set',
    'set',
    items((i) => `"v${i}"`),
  ),
  ofThing(
    'set of equals',
    'set',
    items(() => '"v"'),
  ),
  ofThing(
    'set of numbers',
    'numbers',
    items((i) => `${i}.0`),
  ),
  ofThing(
    'map list',
    'map',
    items((i) => `{"a":"v${i}","b":${i}}`),
  ),
  ofThing(
    'map list of equals',
    'map',
    items(() => '{"a":"v","b":1}'),
  ),
  ofThing(
    'pairs in a map list',
    'map',
    items((i) => `{"a":"v${i >> 1}","b":1}`),
  ),
  ofThing(
    'map list without keys',
    'map',
    items(() => '{}'),
  ),
  ofThing(
    'atomic list',
    'atomic',
    items((i) => `{"a":${i}}`),
  ),
  ofThing(
    'long strings',
    'strings',
    items((i) => `"abcd${i}"`),
  ),
  ofThing(
    'wrong strings',
    'strings',
    items(() => '1'),
  ),
  ofThing(
    'small integers',
    'integers',
    items((i) => String((i % 5) - 1)),
  ),
  ofThing(
    'large integers',
    'integers',
    items(() => '9223372036854775808'),
  ),
  ofThing('a number of many digits', 'integers', (bytes) => `[${'9'.repeat(bytes)}]`),
  ofThing(
    'values beside an enum',
    'enum',
    items((i) => `"x${i}"`),
  ),
  ofThing(
    'items of no alternative',
    'either',
    items((i) => `{"x${i}":1}`),
  ),
  ofThing(
    'items of two alternatives',
    'only',
    items(() => '{"k1":1,"k2":2}'),
  ),
  ofThing('keys', 'open', (bytes) => map(bytes, (i) => `"k${i}":"v"`)),
  ofThing('keys of wrong values', 'open', (bytes) => map(bytes, (i) => `"k${i}":1`)),
  ofThing('duplicate keys', 'open', (bytes) => map(bytes, () => '"k":"v"')),
  {
    ...ofThing('duplicate keys of a map under Strict', 'open', (bytes) => map(bytes, () => '"k":"v"')),
    query: 'fieldValidation=Strict',
  },
  ofThing('keys of anything', 'any', (bytes) => map(bytes, (i) => `"k${i}":{"a":[]}`)),
  ofThing('depth', 'any', () => nested('{"a":', '1', '}', 9_000)),
  ofThing('depth of lists', 'any', () => `{"a":${nested('[', '1', ']', 9_000)}}`),
  ofThing('wide depth', 'any', (bytes) => map(bytes, (i) => `"k${i}":${nested('{"a":', '1', '}', 100)}`)),
  ofThing('text under a nested pattern', 'pattern', (bytes) => `"${'a'.repeat(bytes)}!"`),
  ofThing(
    'texts under an alternating pattern',
    'patterns',
    items(() => `"${'ab'.repeat(2_000)}"`),
  ),
  ofThing('text under a pattern that is not anchored', 'words', (bytes) => `"${'word '.repeat(bytes / 5)}"`),
  ofThing('text under a counted pattern', 'counted', (bytes) => `"${'a'.repeat(bytes)}"`),
  ofThing('a long URI', 'uri', (bytes) => `"http://${'a.'.repeat(bytes / 2)}"`),
  ofThing('a long address', 'email', (bytes) => `"${'a.'.repeat(bytes / 2)}@${'b'.repeat(100)}"`),
  ofThing(
    'wrong dates',
    'dates',
    items((i) => `"2026-13-${i}"`),
  ),
  ofThing(
    'wrong ranges',
    'ips',
    items((i) => `"10.0.0.0/${i}"`),
  ),
  ofThing(
    'lists for numbers',
    'intOrString',
    items(() => '[]'),
  ),
  ofThing(
    'items to default',
    'defaulted',
    items(() => '{}'),
  ),
  ofThing(
    'nulls',
    'nullable',
    items(() => 'null'),
  ),
  ofThing('too many properties', 'closed', (bytes) => map(bytes, (i) => `"k${i}":1`)),
  ofThing(
    'an embedded object',
    'embedded',
    (bytes) => `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":${map(bytes, (i) => `"l ${i}":"v"`)}}}`,
  ),
  ofThing('unknown fields', 'unknown', (bytes) => map(bytes, (i) => `"k${i}":1`)),
  {
    kind: things,
    name: 'unknown fields of items under Strict',
    query: 'fieldValidation=Strict',
    members: (bytes) => [['spec', `{"map":${list(bytes, (i) => `{"a":"v${i}","b":${i},"x":1}`)}}`]],
  },
];

const schemaOf = (schema: string): string =>
  `[{"name":"v1","served":false,"storage":true,"schema":{"openAPIV3Schema":${schema}}}]`;
const specOf = (plural: string, versions: string, more = ''): string =>
  `{"group":"attacked.example.com","scope":"Namespaced","names":{"plural":"${plural}","singular":"${plural}","kind":"${plural[0]?.toUpperCase()}${plural.slice(1)}","listKind":"${plural}List"},"versions":${versions}${more}}`;

let count = 0;
function ofDefinition(
  name: string,
  versions: (bytes: number) => string,
  more: (bytes: number) => string = () => '',
): SpecAttack {
  const plural = `attack${count++}s`;
  return {
    kind: definitions(plural),
    name,
    members: (bytes) => [['spec', specOf(plural, versions(bytes), more(bytes))]],
  };
}
const ofSchema = (name: string, schema: (bytes: number) => string): SpecAttack =>
  ofDefinition(name, (bytes) => schemaOf(schema(bytes)));
const property = (schema: string): string => `{"type":"object","properties":{"a":${schema}}}`;

export const definitionAttacks: readonly SpecAttack[] = [
  ofSchema('properties', (bytes) => `{"type":"object","properties":${map(bytes, (i) => `"p${i}":{"type":"string"}`)}}`),
  ofSchema(
    'wrong properties',
    (bytes) => `{"type":"object","properties":${map(bytes, (i) => `"p${i}":{"type":"x"}`)}}`,
  ),
  ofSchema('properties without a type', (bytes) => `{"type":"object","properties":${map(bytes, (i) => `"p${i}":{}`)}}`),
  ofSchema('required fields', (bytes) => `{"type":"object","required":${list(bytes, (i) => `"p${i}"`)}}`),
  ofSchema('allowed values', (bytes) => property(`{"type":"string","enum":${list(bytes, (i) => `"v${i}"`)}}`)),
  ofSchema('equal allowed values', (bytes) => property(`{"type":"string","enum":${list(bytes, () => '"v"')}}`)),
  ofSchema('alternatives', (bytes) =>
    property(`{"type":"object","anyOf":${list(bytes, (i) => `{"required":["k${i}"]}`)}}`),
  ),
  ofSchema('rules of all', (bytes) =>
    property(`{"type":"object","allOf":${list(bytes, (i) => `{"properties":{"a${i}":{"minimum":1}}}`)}}`),
  ),
  ofSchema('depth of properties', () =>
    nested('{"type":"object","properties":{"a":', '{"type":"string"}', '}}', 3_000),
  ),
  ofSchema('depth of items', () => property(nested('{"type":"array","items":', '{"type":"string"}', '}', 4_000))),
  ofSchema('depth of not', () => property(nested('{"not":', '{}', '}', 4_000))),
  ofSchema('a long pattern', (bytes) => property(`{"type":"string","pattern":"${'(a|b)*'.repeat(bytes / 6)}"}`)),
  ofSchema(
    'patterns',
    (bytes) =>
      `{"type":"object","properties":${map(bytes, (i) => `"p${i}":{"type":"string","pattern":"^(a${i}|b)+$"}`)}}`,
  ),
  ofSchema('a pattern of counts', () => property('{"type":"string","pattern":"((a{30}){30}){30}"}')),
  ofSchema(
    'defaults',
    (bytes) => `{"type":"object","properties":${map(bytes, (i) => `"p${i}":{"type":"string","default":"v"}`)}}`,
  ),
  ofSchema(
    'wrong defaults',
    (bytes) => `{"type":"object","properties":${map(bytes, (i) => `"p${i}":{"type":"string","default":1}`)}}`,
  ),
  ofSchema('a large default', (bytes) =>
    property(`{"type":"array","items":{"type":"string"},"default":${list(bytes, (i) => `"v${i}"`)}}`),
  ),
  ofSchema('list map keys', (bytes) =>
    property(
      `{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":${list(bytes, (i) => `"k${i}"`)},"items":{"type":"object"}}`,
    ),
  ),
  ofSchema(
    'unknown formats',
    (bytes) => `{"type":"object","properties":${map(bytes, (i) => `"p${i}":{"type":"string","format":"f${i}"}`)}}`,
  ),
  ofSchema(
    'rules',
    (bytes) =>
      `{"type":"object","x-kubernetes-validations":${list(bytes / 30, (i) => `{"rule":"self == self || ${i} == 0"}`)}}`,
  ),
  ofSchema(
    'wrong rules',
    (bytes) => `{"type":"object","x-kubernetes-validations":${list(bytes / 30, () => '{"rule":"((((("}')}}`,
  ),
  ofSchema(
    'a long rule',
    (bytes) => `{"type":"object","x-kubernetes-validations":[{"rule":"${'1+'.repeat(bytes / 60)}1 > 0"}]}`,
  ),
  ofDefinition('versions', (bytes) =>
    list(
      bytes,
      (i) => `{"name":"v${i + 1}","served":false,"storage":${i === 0},"schema":{"openAPIV3Schema":{"type":"object"}}}`,
    ),
  ),
  ofDefinition('equal versions', (bytes) =>
    list(bytes, () => '{"name":"v1","served":false,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}'),
  ),
  ofDefinition(
    'columns',
    (bytes) =>
      `[{"name":"v1","served":false,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}},"additionalPrinterColumns":${list(bytes, (i) => `{"name":"c${i}","type":"string","jsonPath":".spec.a"}`)}}]`,
  ),
  ofDefinition(
    'wrong columns',
    (bytes) =>
      `[{"name":"v1","served":false,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}},"additionalPrinterColumns":${list(bytes, () => '{"name":"","type":"x","jsonPath":"{.["}')}}]`,
  ),
  ofDefinition(
    'selectable fields',
    (bytes) =>
      `[{"name":"v1","served":false,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}},"selectableFields":${list(bytes, (i) => `{"jsonPath":".spec.a${i}"}`)}}]`,
  ),
];
