import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { apply, type Request, type Series } from './series.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const text = { type: 'string' };
const number = { type: 'integer' };
const mapOf = (values: JsonObject): JsonObject => ({ type: 'object', additionalProperties: values });
const objectOf = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
const embedded = (schema: JsonObject): JsonObject => ({ ...schema, 'x-kubernetes-embedded-resource': true });
const setOf = (items: JsonObject): JsonObject => ({ type: 'array', 'x-kubernetes-list-type': 'set', items });

/** Embedded resources whose metadata, apiVersion and kind are in their schemas, and some in which they are not. */
const resources: Readonly<Record<string, JsonObject>> = {
  undeclared: embedded(objectOf({ data: text })),
  labels: embedded(objectOf({ metadata: objectOf({ labels: mapOf(text) }) })),
  nullable: embedded(objectOf({ metadata: objectOf({ labels: mapOf({ ...text, nullable: true }) }) })),
  metadata: embedded(objectOf({ metadata: { type: 'object' }, apiVersion: text, kind: text })),
  finalized: embedded(objectOf({ metadata: objectOf({ finalizers: { type: 'array', items: text } }) })),
  free: embedded({
    ...objectOf({ metadata: objectOf({ annotations: mapOf(text) }) }),
    'x-kubernetes-preserve-unknown-fields': true,
  }),
};

const metadatas: readonly JsonValue[] = [
  null,
  { labels: null, annotations: null, finalizers: null },
  { labels: { a: null, b: 'c' }, annotations: { a: null, b: 'c' } },
  { finalizers: [null, 'a/b'] },
  { labels: { a: 1, b: null } },
  { name: null, unknown: null },
];

function definition(group: string, older: JsonObject, newer: JsonObject): JsonObject {
  const version = (name: string, properties: JsonObject): JsonObject => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: objectOf({ spec: objectOf(properties) }) },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `nulls.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'nulls', singular: 'null', kind: 'Null', listKind: 'NullList' },
      versions: [version('v1', newer), version('v1beta1', older)],
    },
  };
}

/** In the older version, items may be there twice. */
const sets = {
  pairs: setOf({ ...mapOf(number), 'x-kubernetes-map-type': 'atomic' }),
  lists: setOf({ type: 'array', items: mapOf(number), 'x-kubernetes-list-type': 'atomic' }),
};
const older = { ...resources, pairs: { type: 'array', items: mapOf(number) }, keep: text };
const newer = { ...resources, ...sets, keep: text };

function requests(run: string): readonly Request[] {
  const group = `${run}.example.com`;
  const at = (version: string, name = ''): string =>
    `/apis/${group}/${version}/namespaces/default/nulls${name === '' ? '' : `/${name}`}`;
  const object = (name: string, spec: JsonObject, version = 'v1', metadata: JsonObject = {}): JsonObject => ({
    apiVersion: `${group}/${version}`,
    kind: 'Null',
    metadata: { name, ...metadata },
    spec,
  });
  const twice = {
    pairs: [
      { z: 1, a: 2 },
      { a: 2, z: 1 },
    ],
  };
  const annotated = (annotations: JsonValue): Request =>
    apply(at('v1', 'c'), 'kubectl', object('c', {}, 'v1', { annotations }), '&force=true');
  return [
    { method: 'POST', path: definitions, body: definition(group, older, newer) },
    { method: 'POST', path: at('v1'), body: object('a', {}), until: ({ status }) => status !== 404 },
    ...Object.keys(resources).flatMap((field): Request[] => [
      ...metadatas.map((metadata, index) => ({
        method: 'POST',
        path: at('v1'),
        body: object(`${field}-${index}`, { [field]: { apiVersion: 'v1', kind: 'Pod', metadata } }),
      })),
      { method: 'POST', path: at('v1'), body: object(field, { [field]: { apiVersion: null, kind: 'Pod' } }) },
      apply(
        at('v1', field),
        'one',
        object(field, { [field]: { apiVersion: 'v1', kind: 'Pod', metadata: metadatas[2] as JsonValue } }),
      ),
    ]),
    { method: 'POST', path: at('v1'), body: object('b', twice) },
    { method: 'POST', path: at('v1'), body: object('b', { lists: [[{ z: 1, a: 2 }], [{ a: 2, z: 1 }]] }) },
    apply(at('v1', 'b'), 'one', object('b', { keep: 'x' })),
    apply(at('v1beta1', 'b'), 'one', object('b', twice, 'v1beta1')),
    apply(at('v1beta1', 'b'), 'two', object('b', twice, 'v1beta1')),
    apply(at('v1', 'b'), 'one', object('b', {})),
    { method: 'POST', path: at('v1'), body: object('c', {}, 'v1', { annotations: { [lastApplied]: '{}' } }) },
    annotated(null),
    annotated({ a: null }),
    { method: 'GET', path: at('v1', 'c') },
    annotated({}),
    annotated({ a: 'b', [lastApplied]: 'x' }),
    annotated({ a: null, b: 'c' }),
    { method: 'GET', path: at('v1', 'c') },
  ];
}

/** Nulls under a schema, in metadata of embedded resources and in what the server writes down for kubectl. */
export const customNullSeries: readonly Series[] = [{ name: 'nulls and duplicates of custom resources', requests }];
