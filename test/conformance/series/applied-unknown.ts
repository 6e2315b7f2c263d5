import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { apply, type Request, type Series } from './series.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function definition(group: string): JsonObject {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const only = { type: 'object', properties: { only: { type: 'string' } } };
  const properties = {
    half: { ...open, properties: { known: { type: 'string', default: 'k' }, inner: only } },
    map: { ...open, additionalProperties: only },
    embedded: { ...open, 'x-kubernetes-embedded-resource': true },
    typed: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: { ...open, properties: { inner: only } } },
    },
    count: { type: 'integer', nullable: true },
    ratio: { type: 'number' },
  };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `halves.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'halves', singular: 'half', kind: 'Half', listKind: 'HalfList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

const specs: readonly JsonObject[] = [
  { half: { inner: { only: 'a', other: 1 }, more: { any: null } } },
  { half: { inner: null } },
  { half: { inner: { only: null, other: null } } },
  { map: { a: { only: 'a', other: 1 }, b: {} } },
  {
    embedded: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: null, labels: { a: 'b', c: null }, odd: 1 },
      data: { a: null },
    },
  },
  { embedded: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { labels: 5 } } },
  { typed: { apiVersion: 'v1', kind: 'Odd', metadata: { name: null }, spec: { inner: { other: 1 }, more: 2 } } },
  { count: null },
  { ratio: null },
];

/** What apply cannot know to be unknown: fields below parts that keep what is unknown and yet name some of it. */
function requests(run: string): readonly Request[] {
  const group = `${run}.example.com`;
  const halves = `/apis/${group}/v1/namespaces/default/halves`;
  return [
    { method: 'POST', path: definitions, body: definition(group) },
    { method: 'GET', path: halves, until: ({ status }) => status === 200 },
    ...specs.flatMap((spec, index): Request[] => {
      const path = `${halves}/s${index}`;
      const body = { apiVersion: `${group}/v1`, kind: 'Half', metadata: { name: `s${index}` }, spec };
      return [
        apply(path, 'one', body, '&dryRun=All'),
        apply(path, 'one', body),
        apply(path, 'one', body),
        apply(path, 'two', body, '&force=true'),
        { method: 'GET', path },
        { method: 'PATCH', path: `${path}?fieldManager=three`, body: { metadata: { labels: { a: 'b' } } } },
        { method: 'DELETE', path },
        { method: 'POST', path: `${halves}?fieldManager=one`, body },
        apply(path, 'two', body, '&force=true'),
      ];
    }),
    { method: 'DELETE', path: `${definitions}/halves.${group}` },
  ];
}

export const appliedUnknownSeries: readonly Series[] = [
  { name: 'applied fields that are unknown below what keeps unknown ones', requests },
];
