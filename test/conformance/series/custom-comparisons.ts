import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const text = { type: 'string', maxLength: 20 };
const count = { type: 'integer' };
const listOf = (items: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'array',
  items,
  maxItems: 5,
  ...more,
});
const mapOf = (values: JsonObject): JsonObject => ({ type: 'object', additionalProperties: values, maxProperties: 5 });
const setOf = (items: JsonObject): JsonObject => listOf(items, { 'x-kubernetes-list-type': 'set' });

/** What a field is, what was stored before it was that, and what is written then. */
const fields: Readonly<Record<string, readonly [schema: JsonObject, before: JsonValue, after: JsonValue]>> = {
  object: [{ type: 'object', properties: { x: text } }, { x: 1 }, { x: 'a' }],
  span: [{ type: 'object', properties: { x: { type: 'string', format: 'duration' } } }, { x: [] }, { x: '1h' }],
  inner: [{ type: 'object', properties: { x: listOf(count) } }, { x: 'a' }, { x: [1] }],
  map: [mapOf(text), { k: 1 }, { k: 'a' }],
  lists: [mapOf(listOf(count)), { k: 'x' }, { k: [1] }],
  list: [listOf(count), ['a', 2], [1, 2]],
  later: [listOf(count), [1, 'a'], [1, 2]],
  set: [setOf(text), [1, 'b'], ['a', 'b']],
  items: [
    listOf(
      { type: 'object', required: ['name'], properties: { name: text } },
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
    ),
    ['a'],
    [{ name: 'a' }],
  ],
  maps: [listOf(mapOf(text)), ['a', { k: 'b' }], [{ k: 'a' }, { k: 'b' }]],
  sets: [listOf(setOf(text)), [['a', 'b'], 'c'], [['a', 'b'], []]],
};

const asked = [
  ...Object.keys(fields).flatMap((name) => [`self.${name} == oldSelf.${name}`, `oldSelf.${name} == self.${name}`]),
  ...['list', 'later'].flatMap((name) => [
    `[1, 2] == oldSelf.${name}`,
    `oldSelf.${name} == [1, 2]`,
    `1 in oldSelf.${name}`,
    `2 in oldSelf.${name}`,
    `3 in oldSelf.${name}`,
    `[1, 2] != oldSelf.${name}`,
  ]),
  "{'k': 'a'} == oldSelf.map",
  "{'k': [1]} == oldSelf.lists",
  "oldSelf.lists == {'k': [1]}",
  "['a', 'b'] == oldSelf.set",
  "oldSelf.set == ['b', 'a']",
  "'a' in oldSelf.set",
  "'b' in oldSelf.set",
  "{'k': 'b'} in oldSelf.maps",
  "{'k': 'c'} in oldSelf.maps",
  "{'k': 'a'} in self.maps && oldSelf.maps.size() > 0",
  "['b', 'a'] in self.sets && oldSelf.sets.size() > 0",
  "['b', 'a'] in oldSelf.sets",
  "['c'] in oldSelf.sets",
  "oldSelf.sets[0] == ['b', 'a'] && ['b', 'a'] == self.sets[0]",
  'self.sets[0] in [["b", "a"]] && oldSelf.sets.size() > 0',
  'sets.contains(oldSelf.later, [1])',
  'sets.contains(oldSelf.later, [3])',
  'sets.contains([1, 2], oldSelf.later)',
  'sets.contains(oldSelf.list, oldSelf.later)',
  "sets.contains(oldSelf.set, ['b'])",
  "sets.contains(oldSelf.set, ['c'])",
  'sets.intersects(oldSelf.later, [3])',
  'sets.intersects([3], oldSelf.later)',
  'sets.equivalent(oldSelf.later, [1])',
  "sets.contains(self.sets, [['b', 'a']]) && oldSelf.sets.size() > 0",
  "sets.contains([['b', 'a'], []], self.sets) && oldSelf.sets.size() > 0",
  "sets.contains(oldSelf.maps, [{'k': 'b'}])",
  "sets.contains(oldSelf.maps, [{'k': 'c'}])",
];

function definition(run: string, spec: JsonObject): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `compareds.${run}.example.com` },
    spec: {
      group: `${run}.example.com`,
      scope: 'Namespaced',
      names: { plural: 'compareds', kind: 'Compared' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
}

/** All of them in one: an object is told of each that it breaks. */
const ruled: JsonObject = {
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, [schema]]) => [name, schema])),
  'x-kubernetes-validations': [...asked, 'oldSelf.list.size() < 0'].map((rule) => ({ rule })),
};

function requests(run: string): readonly Request[] {
  const all = `/apis/${run}.example.com/v1/namespaces/default/compareds`;
  const of = (at: 1 | 2): JsonObject =>
    Object.fromEntries(Object.entries(fields).map(([name, values]) => [name, values[at]]));
  const { versions } = definition(run, ruled)['spec'] as { versions: JsonObject[] };
  return [
    {
      method: 'POST',
      path: definitions,
      body: definition(run, { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
    },
    {
      method: 'POST',
      path: all,
      body: { apiVersion: `${run}.example.com/v1`, kind: 'Compared', metadata: { name: 'a' }, spec: of(1) },
      until: ({ status }) => status !== 404,
    },
    { method: 'PATCH', path: `${definitions}/compareds.${run}.example.com`, body: { spec: { versions } } },
    {
      method: 'PATCH',
      path: `${all}/a?dryRun=All`,
      body: { spec: of(2) },
      until: ({ status }) => status === 422,
    },
  ];
}

export const customComparisonSeries: readonly Series[] = [
  { name: 'custom resources: comparisons with values of another type than the schema says', requests },
];
