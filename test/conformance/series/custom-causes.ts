import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { apply, type Request, type Series } from './series.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A kind whose objects can be wrong in their type, metadata, values, scale, embedded resources, and lists. */
function definition(run: string): JsonObject {
  const embedded = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  };
  const set = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' };
  const part = {
    type: 'object',
    properties: { count: { type: 'integer', maximum: 5 }, replicas: { type: 'integer' }, set },
  };
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { ...part, properties: { ...part.properties, embedded } }, status: part },
    },
  };
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `faults.${run}.example.com` },
    spec: {
      group: `${run}.example.com`,
      scope: 'Namespaced',
      names: { plural: 'faults', singular: 'fault', kind: 'Fault', listKind: 'FaultList' },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {}, scale } }],
    },
  };
}

const wrongPart: JsonObject = { count: 9, replicas: -1, set: ['a', 'a'] };
const wrongSpec: JsonObject = { ...wrongPart, embedded: { metadata: { labels: { 'a b': 'c' } } } };
const wrongMetadata: JsonObject = { labels: { 'a b': 'c' }, finalizers: ['bare', 'a b'], ownerReferences: [{}] };

function requests(run: string): readonly Request[] {
  const things = `/apis/${run}.example.com/v1/namespaces/default/faults`;
  const thing = (name: string, more: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
    apiVersion: `${run}.example.com/v1`,
    kind: 'Fault',
    metadata: { name, namespace: 'default', ...metadata },
    ...more,
  });
  const wrong = (name: string): readonly JsonObject[] =>
    [
      { kind: 'Other' },
      { kind: 'Other', metadata: { name, namespace: 'default', ...wrongMetadata } },
      { kind: 'Other', spec: wrongSpec },
      { spec: wrongSpec },
      { spec: wrongPart, status: wrongPart },
      { metadata: { name, namespace: 'default', ...wrongMetadata }, spec: wrongSpec },
      { metadata: { name, namespace: 'default', ...wrongMetadata } },
      { status: wrongPart },
      { kind: 'Other', status: wrongPart },
    ].map((more) => ({ ...thing(name), ...more }));
  const item = `${things}/a`;
  const patch = (path: string, body: JsonObject): Request => ({
    method: 'PATCH',
    path,
    headers: { 'content-type': 'application/merge-patch+json' },
    body,
  });
  return [
    { method: 'POST', path: definitions, body: definition(run) },
    {
      method: 'POST',
      path: things,
      body: thing('a', { spec: { count: 1, set: ['a'] } }),
      until: ({ status }) => status !== 404,
    },
    ...wrong('b').flatMap((body): Request[] => [
      { method: 'POST', path: things, body },
      apply(`${things}/b`, 'applier', body),
    ]),
    { method: 'POST', path: things, body: { ...thing('b'), metadata: { name: 'B_b' }, spec: wrongSpec } },
    ...wrong('a').flatMap((body): Request[] => [
      ...['', '/status', '/scale'].flatMap((subresource): Request[] => [
        { method: 'PUT', path: `${item}${subresource}`, body },
        patch(`${item}${subresource}`, body),
      ]),
      apply(item, 'applier', body),
      apply(`${item}/status`, 'applier', body),
      { method: 'GET', path: item },
    ]),
    { method: 'DELETE', path: `${definitions}/faults.${run}.example.com` },
  ];
}

export const customCauseSeries: readonly Series[] = [
  { name: 'causes of custom resources: type, metadata, values, lists', requests },
];
