import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import { apply, type Request, type Series } from './series.ts';

/** What custom resources own before and after their definition says something else of the type of `spec.it`. */
interface Change {
  readonly name: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
  /**
   * Values of `spec.it`: applied by one, changed by two; then, under the other schema, changed by three and applied by
   * one and by four.
   */
  readonly values: readonly [one: unknown, two: unknown, three: unknown, oneAgain: unknown, four: unknown];
}

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const text = { type: 'string' };
const item = { type: 'object', required: ['name'], properties: { name: text, value: text, other: text } };
const items = (listType: string): JsonObject => ({
  type: 'array',
  items: item,
  'x-kubernetes-list-type': listType,
  ...(listType === 'map' ? { 'x-kubernetes-list-map-keys': ['name'] } : {}),
});
const texts = (listType: string): JsonObject => ({ type: 'array', items: text, 'x-kubernetes-list-type': listType });
const struct = (mapType: string): JsonObject => ({
  type: 'object',
  properties: { a: text, b: text, c: text },
  'x-kubernetes-map-type': mapType,
});
const map = (mapType: string): JsonObject => ({
  type: 'object',
  additionalProperties: text,
  'x-kubernetes-map-type': mapType,
});
const open: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const itemValues: Change['values'] = [
  [
    { name: 'x', value: '1' },
    { name: 'y', value: '1' },
  ],
  [
    { name: 'x', value: '1', other: 'two' },
    { name: 'y', value: '1' },
  ],
  [{ name: 'x', value: '3', other: 'two' }, { name: 'y', value: '1' }, { name: 'z' }],
  [{ name: 'x', value: '1' }],
  [{ name: 'y', value: '4' }],
];
const textValues: Change['values'] = [['x', 'y'], ['x', 'y', 'two'], ['x', 'y', 'two', 'three'], ['x'], ['y', 'four']];
const memberValues: Change['values'] = [
  { a: '1', b: '1' },
  { a: '1', b: '1', c: '2' },
  { a: '3', b: '1', c: '2' },
  { a: '1' },
  { b: '4' },
];

function both(name: string, first: JsonObject, second: JsonObject, values: Change['values']): Change[] {
  return [
    { name: `${name}, forth`, before: first, after: second, values },
    { name: `${name}, back`, before: second, after: first, values },
  ];
}

const changes: readonly Change[] = [
  ...both('items by key become atomic', items('map'), items('atomic'), itemValues),
  ...both('a set becomes atomic', texts('set'), texts('atomic'), textValues),
  ...both('an object becomes atomic', struct('granular'), struct('atomic'), memberValues),
  ...both('a map becomes atomic', map('granular'), map('atomic'), memberValues),
  ...both('an object becomes a map', struct('granular'), map('granular'), memberValues),
  ...both('an object opens', struct('granular'), open, memberValues),
  ...both('an atomic object opens', struct('atomic'), open, memberValues),
  ...both(
    'an object loses a member',
    struct('granular'),
    { type: 'object', properties: { a: text, b: text } },
    memberValues,
  ),
  ...both(
    'an object in an atomic one',
    { type: 'object', properties: { a: struct('granular') } },
    { type: 'object', properties: { a: struct('granular') }, 'x-kubernetes-map-type': 'atomic' },
    [
      { a: { a: '1', b: '1' } },
      { a: { a: '1', b: '2' } },
      { a: { a: '3', b: '2' } },
      { a: { a: '1' } },
      { a: { b: '4' } },
    ],
  ),
  ...both('items by key open', items('map'), { type: 'array', items: open }, itemValues),
  ...both(
    'items by key become a set of the same',
    items('map'),
    { type: 'array', items: { ...item, 'x-kubernetes-map-type': 'atomic' }, 'x-kubernetes-list-type': 'set' },
    itemValues,
  ),
  ...both('a text becomes a number', text, { type: 'integer' }, ['a', 'b', 3, 1, 4]),
  ...both('a text becomes an object', text, struct('granular'), ['a', 'b', { a: '3' }, { a: '1' }, { a: '4' }]),
  ...both('a list becomes an object', texts('atomic'), struct('granular'), [
    ['a'],
    ['b'],
    { a: '3' },
    { a: '1' },
    { a: '4' },
  ]),
  ...both('a number may be a text too', { type: 'integer' }, { 'x-kubernetes-int-or-string': true }, [1, 2, 3, 1, 4]),
];

interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
}

const onlyV1: readonly Version[] = [{ name: 'v1', served: true, storage: true }];

/** `step` tells which state of the definition a server works by. */
function definition(run: string, step: number, it: JsonObject, versions = onlyV1): JsonObject {
  const spec = { type: 'object', properties: { it, step: { type: 'integer', default: step } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${run}.example.com` },
    spec: {
      group: `${run}.example.com`,
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: versions.map((version) => ({ ...version, schema })),
    },
  };
}

const collection = (run: string, version = 'v1'): string =>
  `/apis/${run}.example.com/${version}/namespaces/default/things`;
const thing = (run: string, it: unknown, version = 'v1'): JsonObject => ({
  apiVersion: `${run}.example.com/${version}`,
  kind: 'Thing',
  metadata: { name: 'a', namespace: 'default' },
  spec: { it: it as JsonObject },
});

/** An object of one's own that is not kept, made until the server works by the state. */
function served(run: string, step: number, version = 'v1'): Request {
  return {
    method: 'POST',
    path: `${collection(run, version)}?dryRun=All`,
    body: { ...thing(run, undefined, version), metadata: { name: 'probe' }, spec: {} },
    until: ({ body }) => isObject(body) && objectAt(body, 'spec')?.['step'] === step,
  };
}

function replaced(run: string, made: JsonObject): Request[] {
  const path = `${definitions}/things.${run}.example.com`;
  return [{ method: 'PATCH', path, body: { spec: made['spec'] ?? null } }];
}

const merge = (path: string, manager: string, it: unknown): Request => ({
  method: 'PATCH',
  path: `${path}?fieldManager=${manager}`,
  body: { spec: { it: it as JsonObject } },
});

function seriesOf({ name, before, after, values: [one, two, three, oneAgain, four] }: Change): Series {
  return {
    name: `schema change: ${name}`,
    requests(run) {
      const path = `${collection(run)}/a`;
      return [
        { method: 'POST', path: definitions, body: definition(run, 1, before) },
        served(run, 1),
        apply(path, 'one', thing(run, one)),
        merge(path, 'two', two),
        ...replaced(run, definition(run, 2, after)),
        served(run, 2),
        { method: 'GET', path },
        apply(path, 'one', thing(run, one)),
        { method: 'PATCH', path: `${path}?fieldManager=label`, body: { metadata: { labels: { a: 'b' } } } },
        merge(path, 'three', three),
        apply(path, 'one', thing(run, oneAgain)),
        apply(path, 'four', thing(run, four)),
        apply(path, 'four', thing(run, four), '&force=true'),
        apply(path, 'one', thing(run, oneAgain), '&force=true'),
        { method: 'GET', path },
        { method: 'DELETE', path: `${definitions}/things.${run}.example.com` },
      ];
    },
  };
}

const versionsOf = (v1: boolean, v2: boolean, stored: 'v1' | 'v2'): readonly Version[] => [
  { name: 'v1', served: v1, storage: stored === 'v1' },
  { name: 'v2', served: v2, storage: stored === 'v2' },
];

/** Managers of one object that write in two versions. */
const ownedInBothVersions = (run: string): readonly Request[] => [
  { method: 'POST', path: definitions, body: definition(run, 1, map('granular'), versionsOf(true, true, 'v2')) },
  served(run, 1),
  apply(`${collection(run, 'v1')}/a`, 'one', thing(run, { a: '1', b: '1' })),
  merge(`${collection(run, 'v2')}/a`, 'two', { c: '2' }),
  merge(`${collection(run, 'v1')}/a`, 'three', { d: '3' }),
];

const versionSeries: readonly Series[] = [
  {
    name: 'schema change: a version that owns fields is no longer served',
    requests: (run) => [
      ...ownedInBothVersions(run),
      ...replaced(run, definition(run, 2, map('granular'), versionsOf(false, true, 'v2'))),
      served(run, 2, 'v2'),
      apply(`${collection(run, 'v2')}/a`, 'four', thing(run, { a: '4', d: '4' }, 'v2')),
      apply(`${collection(run, 'v2')}/a`, 'one', thing(run, { a: '1' }, 'v2')),
      merge(`${collection(run, 'v2')}/a`, 'five', { e: '5' }),
      { method: 'GET', path: `${collection(run, 'v2')}/a` },
    ],
  },
  {
    name: 'schema change: a version that owns fields is gone',
    requests: (run) => [
      ...ownedInBothVersions(run),
      ...replaced(run, definition(run, 2, map('granular'), [{ name: 'v2', served: true, storage: true }])),
      served(run, 2, 'v2'),
      { method: 'GET', path: `${collection(run, 'v2')}/a` },
      apply(`${collection(run, 'v2')}/a`, 'four', thing(run, { a: '4', d: '4' }, 'v2')),
      apply(`${collection(run, 'v2')}/a`, 'one', thing(run, { a: '1' }, 'v2')),
      merge(`${collection(run, 'v2')}/a`, 'five', { e: '5' }),
      { method: 'GET', path: `${collection(run, 'v2')}/a` },
    ],
  },
];

const large = 'x'.repeat(1_700_000);

/** Custom resources may be larger than what storage takes, in its own words. */
const largeSeries: readonly Series[] = [
  {
    name: 'custom resources of every size',
    requests: (run) => [
      { method: 'POST', path: definitions, body: definition(run, 1, map('granular')) },
      served(run, 1),
      ...[1_000_000, 1_500_000, 1_600_000, 2_050_000, 2_090_000, 2_500_000, 3_200_000].flatMap((size): Request[] => [
        {
          method: 'POST',
          path: collection(run),
          body: { ...thing(run, { a: 'x'.repeat(size) }), metadata: { name: `of-${size}` } },
        },
        { method: 'GET', path: `${collection(run)}/of-${size}` },
        apply(`${collection(run)}/applied-${size}`, 'one', {
          ...thing(run, { a: 'x'.repeat(size) }),
          metadata: { name: `applied-${size}` },
        }),
      ]),
      apply(`${collection(run)}/a`, 'one', thing(run, { a: '1' })),
      merge(`${collection(run)}/a`, 'two', { b: large }),
      merge(`${collection(run)}/a`, 'two', { b: large.repeat(1.5) }),
      { method: 'GET', path: `${collection(run)}/a` },
      { method: 'DELETE', path: `${definitions}/things.${run}.example.com` },
    ],
  },
];

export const schemaChangeSeries: readonly Series[] = [...changes.map(seriesOf), ...versionSeries, ...largeSeries];
