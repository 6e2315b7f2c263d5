import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const text = { type: 'string' };
const count = { type: 'integer' };
const entries = { type: 'object', additionalProperties: text };
const items = {
  type: 'array',
  items: { type: 'object', required: ['name'], properties: { name: text, port: count, entries } },
};

const low = { properties: { kept: { minimum: 5 } } };
const deep = { properties: { within: { properties: { kept: { minimum: 5 } } } } };
const other = { required: ['missing'] };
/** What they say of a part that stays counts, while another part of the same object changes. */
const junctors: Readonly<Record<string, JsonObject>> = {
  all: { allOf: [low] },
  any: { anyOf: [low, other] },
  one: { oneOf: [low, other] },
  two: { oneOf: [low, deep] },
  never: { not: { not: low } },
  allDeep: { allOf: [deep] },
  anyDeep: { anyOf: [deep, other] },
};
const kept = {
  type: 'object',
  properties: { kept: count, within: { type: 'object', properties: { kept: count } }, changed: count },
};
const perJunctor = (schema: (junctor: JsonObject) => JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(junctors).map(([name, junctor]) => [name, schema(junctor)]));

/** What may stay as it was though it is refused now: lists in another order, objects with unknown members. */
const before: JsonObject = {
  ...perJunctor(() => kept),
  byKey: { ...items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
  atomic: items,
  set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
  open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: text } },
  entries,
  joined: { type: 'object', properties: { entries } },
  around: {
    type: 'object',
    properties: { byKey: { ...items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] } },
  },
};

const after: JsonObject = {
  ...before,
  ...perJunctor((junctor) => ({ ...kept, ...junctor })),
  byKey: { ...(before['byKey'] as JsonObject), maxItems: 1 },
  atomic: { ...items, maxItems: 1 },
  set: { ...(before['set'] as JsonObject), maxItems: 1 },
  open: { ...(before['open'] as JsonObject), maxProperties: 1 },
  entries: { ...entries, maxProperties: 1 },
  joined: { ...(before['joined'] as JsonObject), allOf: [{ properties: { entries: { maxProperties: 1 } } }] },
  around: { ...(before['around'] as JsonObject), maxProperties: 0 },
};

function definition(run: string, spec: JsonObject): JsonObject {
  const metadata = {
    type: 'object',
    properties: { name: { ...text, default: 'made' }, unknown: { ...text, default: 'unknown' } },
  };
  const embedded = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    properties: { apiVersion: { ...text, default: 'a/v1' }, kind: { ...text, default: 'A' }, metadata },
  };
  const schema = {
    openAPIV3Schema: { type: 'object', properties: { embedded, spec: { type: 'object', properties: spec } } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `ratchets.${run}.example.com` },
    spec: {
      group: `${run}.example.com`,
      scope: 'Namespaced',
      names: { plural: 'ratchets', singular: 'ratchet', kind: 'Ratchet', listKind: 'RatchetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

const list = ['x', 'y'].map((name, port): JsonObject => ({ name, port, entries: { a: '1' } }));
const spec: JsonObject = {
  ...perJunctor(() => ({ kept: 0, within: { kept: 0 }, changed: 0 })),
  byKey: list,
  atomic: list,
  set: ['x', 'y'],
  open: { known: '1', unknown: '2' },
  entries: { a: '1', b: '2' },
  joined: { entries: { a: '1', b: '2' } },
  around: { byKey: list },
};

function requests(run: string): readonly Request[] {
  const all = `/apis/${run}.example.com/v1/namespaces/default/ratchets`;
  const item = `${all}/a`;
  const patch = (body: JsonObject): Request => ({ method: 'PATCH', path: `${item}?dryRun=All`, body });
  const reversed = list.toReversed();
  const changed = [list[0] as JsonObject, { ...list[1], port: 9 }];
  return [
    { method: 'POST', path: definitions, body: definition(run, before) },
    {
      method: 'POST',
      path: all,
      body: {
        apiVersion: `${run}.example.com/v1`,
        kind: 'Ratchet',
        metadata: { name: 'a' },
        embedded: { metadata: {} },
        spec,
      },
      until: ({ status }) => status !== 404,
    },
    {
      method: 'PATCH',
      path: `${definitions}/ratchets.${run}.example.com`,
      body: { spec: { versions: (definition(run, after)['spec'] as { versions: JsonObject[] }).versions } },
    },
    {
      method: 'POST',
      path: `${all}?dryRun=All`,
      body: { apiVersion: `${run}.example.com/v1`, kind: 'Ratchet', metadata: { name: 'b' }, spec },
      until: ({ status }) => status === 422,
    },
    patch({ metadata: { labels: { a: 'b' } } }),
    ...['byKey', 'atomic', 'set', 'around'].flatMap((name): Request[] => {
      const value =
        name === 'set'
          ? [
              ['y', 'x'],
              ['x', 'z'],
            ]
          : [reversed, changed];
      return value.map((one) => patch({ spec: { [name]: name === 'around' ? { byKey: one } : one } }));
    }),
    patch({ spec: { open: { known: '2' } } }),
    patch({ spec: { entries: { a: '2' } } }),
    patch({ spec: { joined: { entries: { a: '2' } } } }),
    ...['open', 'entries', 'joined'].map((name) =>
      patch({ spec: { byKey: list.slice(0, 1), [name]: spec[name] as JsonObject } }),
    ),
    ...Object.keys(junctors).map((name) => patch({ spec: { [name]: { changed: 1 } } })),
    { method: 'GET', path: item },
    { method: 'DELETE', path: `${definitions}/ratchets.${run}.example.com` },
  ];
}

export const customRatchetSeries: readonly Series[] = [
  { name: 'ratchets of custom resources: parts that a stricter schema refuses', requests },
];
