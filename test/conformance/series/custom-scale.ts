import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { apply, type Request, type Series } from './series.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Two versions that keep the number of replicas at different places. */
function definition(run: string): JsonObject {
  const count = { type: 'integer' };
  const size = { type: 'object', properties: { size: count, replicas: count } };
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { ...size, properties: { ...size.properties, pool: size } },
        status: { type: 'object', properties: { replicas: count, selector: { type: 'string' } } },
      },
    },
  };
  const version = (name: string, storage: boolean, specReplicasPath: string): JsonObject => ({
    name,
    deprecated: !storage,
    served: true,
    storage,
    schema,
    subresources: {
      status: {},
      scale: { specReplicasPath, statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' },
    },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${run}.example.com` },
    spec: {
      group: `${run}.example.com`,
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [version('v1', true, '.spec.replicas'), version('v2', false, '.spec.pool.size')],
    },
  };
}

const scale = (replicas: number | undefined, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'a', namespace: 'default', ...more },
  ...(replicas === undefined ? {} : { spec: { replicas } }),
});

function requests(run: string): readonly Request[] {
  const path = (version: string): string => `/apis/${run}.example.com/${version}/namespaces/default/things`;
  const thing = (spec: JsonObject, version = 'v1'): JsonObject => ({
    apiVersion: `${run}.example.com/${version}`,
    kind: 'Thing',
    metadata: { name: 'a', namespace: 'default' },
    spec,
  });
  const [first, second] = [`${path('v1')}/a`, `${path('v2')}/a`];
  const reads: readonly Request[] = [
    { method: 'GET', path: first },
    { method: 'GET', path: `${first}/scale` },
    { method: 'GET', path: `${second}/scale` },
  ];
  return [
    { method: 'POST', path: definitions, body: definition(run) },
    {
      method: 'POST',
      path: `${path('v1')}?fieldManager=maker`,
      body: thing({ size: 1 }),
      until: ({ status }) => status !== 404,
    },
    // Nobody owns the replicas yet.
    apply(`${first}/scale`, 'scaler', scale(2)),
    apply(`${first}/scale`, 'scaler', scale(2), '&force=true'),
    ...reads,
    { method: 'PATCH', path: `${first}?fieldManager=maker`, body: { spec: { replicas: 1 } } },
    ...reads,
    apply(`${first}/scale`, 'scaler', scale(2)),
    apply(`${first}/scale`, 'scaler', scale(2), '&force=true'),
    ...reads,
    apply(`${first}/scale`, 'other', scale(3)),
    apply(`${first}/scale`, 'other', scale(2)),
    ...reads,
    apply(`${first}/scale`, 'scaler', scale(undefined)),
    apply(`${first}/scale`, 'other', scale(-1)),
    apply(`${first}/scale`, 'other', { ...scale(2), odd: 1 }),
    apply(`${first}/scale`, 'other', scale(2, { labels: { a: 'b' } })),
    apply(`${first}/scale`, 'other', thing({ replicas: 1 })),
    apply(`${first}/scale`, 'other', scale(2, { name: 'b' })),
    ...reads,
    { method: 'PUT', path: `${first}/scale?fieldManager=putter`, body: scale(7) },
    { method: 'PATCH', path: `${first}/scale?fieldManager=patcher`, body: { spec: { replicas: 8 } } },
    ...reads,
    { method: 'PATCH', path: `${second}/scale?fieldManager=patcher`, body: { spec: { replicas: 9 } } },
    apply(`${second}/scale`, 'scaler', scale(4)),
    ...reads,
    apply(first, 'applier', thing({ replicas: 5 })),
    apply(first, 'applier', thing({ replicas: 5 }), '&force=true'),
    ...reads,
    apply(`${first}/scale`, 'scaler', scale(6), '&force=true'),
    apply(first, 'applier', thing({ size: 2 })),
    ...reads,
    // Bodies that are no Scale, by version, kind, form and type; requests that never come to their body, to a version
    // on its way out.
    ...[
      thing({ replicas: 1 }),
      { ...scale(2), apiVersion: 'autoscaling/v2' },
      { ...scale(2), spec: 5 },
      '{"kind":',
      [],
      { ...scale(2), odd: 1 },
    ].map((body): Request => ({ method: 'PUT', path: `${first}/scale?fieldValidation=Strict`, body })),
    { method: 'PATCH', path: second, headers: { 'content-type': 'application/strategic-merge-patch+json' }, body: {} },
    { method: 'GET', path: `${second}/none` },
    { method: 'POST', path: second },
    { method: 'GET', path: `/apis/${run}.example.com/v2/things/a` },
    apply(`${path('v1')}/missing/scale`, 'scaler', scale(6, { name: 'missing' })),
    { method: 'DELETE', path: `${definitions}/things.${run}.example.com` },
  ];
}

export const customScaleSeries: readonly Series[] = [{ name: 'scale of custom resources: every writer', requests }];
