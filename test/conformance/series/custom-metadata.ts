import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { apply, type Request, type Series } from './series.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function definition(group: string): JsonObject {
  const parts = {
    type: 'array',
    items: { type: 'object', properties: { key: { type: 'string' }, value: { type: 'number' } }, required: ['key'] },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['key'],
  };
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: { size: { type: 'integer' }, any: { 'x-kubernetes-preserve-unknown-fields': true }, parts },
        },
      },
    },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

/**
 * Metadata of a custom resource has a type, whichever way it comes; the nulls of the rest stay. What is wrong with it
 * is told before a lost version.
 */
function requests(run: string): readonly Request[] {
  const group = `${run}.example.com`;
  const things = `/apis/${group}/v1/namespaces/default/things`;
  const thing = (metadata: JsonObject, more: JsonObject = {}): JsonObject => ({
    apiVersion: `${group}/v1`,
    kind: 'Thing',
    metadata,
    spec: { size: 1, ...more },
  });
  const patch = (...operations: JsonValue[]): Request => ({
    method: 'PATCH',
    path: `${things}/a`,
    headers: { 'content-type': 'application/json-patch+json' },
    body: operations,
  });
  return [
    { method: 'POST', path: definitions, body: definition(group) },
    {
      method: 'POST',
      path: things,
      body: thing({ name: 'a', labels: { a: null } }),
      until: ({ status }) => status !== 404,
    },
    apply(`${things}/b`, 'one', thing({ name: 'b', labels: { a: null } })),
    apply(`${things}/a`, 'one', thing({ name: 'a', labels: { a: null, b: 'c' } }), '&force=true'),
    apply(`${things}/c`, 'one', thing({ name: 'c', annotations: { a: null }, finalizers: null })),
    apply(
      `${things}/d`,
      'one',
      thing({ name: 'd', labels: { a: 'not a label' } }, { parts: [{ key: 'a', value: null }] }),
    ),
    apply(`${things}/e`, 'one', thing({ name: 'e' }, { parts: [{ key: null, value: 1 }, { key: 'b' }] })),
    apply(`${things}/f`, 'one', thing({ name: 'f' }, { any: null, size: null })),
    apply(`${things}/f`, 'one', thing({ name: 'f' }, { any: { a: [1] } })),
    apply(`${things}/f`, 'one', thing({ name: 'f' })),
    { method: 'GET', path: `${things}/f` },
    apply(`${things}/g`, 'one', thing({ name: 'g' }, { any: null })),
    { method: 'GET', path: `${things}/g` },
    {
      method: 'POST',
      path: things,
      body: thing({ name: 'deep', odd: JSON.parse(`${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`) as JsonObject }),
    },
    ...['Ignore', 'Warn', 'Strict'].flatMap((fieldValidation) =>
      ['application/json', 'application/yaml'].map((type): Request => ({
        method: 'POST',
        path: `${things}?fieldValidation=${fieldValidation}`,
        headers: { 'content-type': type },
        body: `{"apiVersion": "${group}/v1", "metadata": {"name": "f"}}`,
      })),
    ),
    patch({ op: 'move', path: '/metadata/labels', from: '/apiVersion' }),
    patch({ op: 'remove', path: '/apiVersion' }),
    ...['Warn', 'Strict', 'Ignore'].map((fieldValidation): Request => ({
      ...patch({ op: 'move', path: '/metadata/odd', from: '/apiVersion' }, { op: 'add', path: '/odd', value: 1 }),
      path: `${things}/a?fieldValidation=${fieldValidation}`,
    })),
    patch({ op: 'remove', path: '/apiVersion' }, { op: 'add', path: '/metadata', value: 5 }),
    patch({ op: 'remove', path: '/kind' }, { op: 'add', path: '/metadata', value: 5 }),
    patch({ op: 'copy', path: '/metadata/managedFields/0/manager', from: '/metadata/managedFields/0' }),
    { method: 'DELETE', path: `${definitions}/things.${group}` },
  ];
}

export const customMetadataSeries: readonly Series[] = [{ name: 'metadata of custom resources', requests }];
