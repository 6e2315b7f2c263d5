import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';

/** A member that writes and mutations give other values, by its path in the object; a number is the place in a list. */
export interface Knob {
  readonly path: string;
  readonly values: readonly JsonValue[];
}

/** A resource that is guarded and written. */
export interface Target {
  readonly group: string;
  readonly versions: readonly [string, ...string[]];
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** All but apiVersion, kind and metadata. */
  readonly body: JsonObject;
  readonly knobs: readonly Knob[];
  readonly subresources: readonly string[];
  /** Values of the status, where it is written by itself. */
  readonly statuses?: readonly JsonObject[];
}

export const customGroup = 'guarded.example.com';

const containers: JsonValue = [{ name: 'c', image: 'i', args: ['a', 'b'] }];
const words: readonly JsonValue[] = ['x', 'bad', '', 'ab', '10.0.0.1', 'ä', '12'];

const podKnobs = (at: string): Knob[] => [
  { path: `${at}.containers.0.image`, values: ['i', 'nginx:1', 'bad', ''] },
  { path: `${at}.containers.0.resources.limits`, values: [{ cpu: '1000m' }, { memory: '1Gi' }, { cpu: 'x' }] },
  { path: `${at}.containers.0.env`, values: [[{ name: 'E', value: 'v' }], []] },
  { path: `${at}.nodeSelector`, values: [{ a: 'b' }, {}] },
  { path: `${at}.tolerations`, values: [[{ key: 'k', operator: 'Exists' }], []] },
  { path: `${at}.hostNetwork`, values: [true, false] },
  { path: `${at}.terminationGracePeriodSeconds`, values: [0, 5, -1] },
];

const template = { metadata: { labels: { a: 'b' } }, spec: { containers, nodeSelector: { x: 'y' } } };

/** Members of metadata that all kinds have. */
export const metadataKnobs: readonly Knob[] = [
  { path: 'metadata.annotations.a', values: ['x', '', 'bad', 'ä'] },
  { path: 'metadata.labels.a', values: ['b', '', 'no label!'] },
  { path: 'metadata.labels.tier', values: ['front', 'back'] },
  { path: 'metadata.finalizers', values: [['example.com/f'], []] },
];

export const targets: readonly Target[] = [
  {
    group: '',
    versions: ['v1'],
    resource: 'configmaps',
    kind: 'ConfigMap',
    namespaced: true,
    body: { data: { a: 'x', b: 'y' } },
    knobs: [
      { path: 'data.a', values: words },
      { path: 'data.b', values: words },
      { path: 'data.c', values: ['x', 'not/allowed'] },
      { path: 'binaryData.z', values: ['YWJj', '?'] },
      { path: 'immutable', values: [true, false] },
    ],
    subresources: [],
  },
  {
    group: '',
    versions: ['v1'],
    resource: 'secrets',
    kind: 'Secret',
    namespaced: true,
    body: { type: 'Opaque', data: { a: 'YWJj' }, stringData: { b: 'x' } },
    knobs: [
      { path: 'stringData.a', values: words },
      { path: 'data.a', values: ['YWJj', '', 'YQ=='] },
      { path: 'type', values: ['Opaque', 'example.com/other'] },
    ],
    subresources: [],
  },
  {
    group: '',
    versions: ['v1'],
    resource: 'pods',
    kind: 'Pod',
    namespaced: true,
    body: { spec: { containers, automountServiceAccountToken: false, nodeSelector: { x: 'y' } } },
    knobs: podKnobs('spec'),
    subresources: ['eviction', 'binding', 'ephemeralcontainers'],
    statuses: [{ phase: 'Running' }, { phase: 'Odd' }, { conditions: [{ type: 'Ready', status: 'True' }] }],
  },
  {
    group: '',
    versions: ['v1'],
    resource: 'services',
    kind: 'Service',
    namespaced: true,
    body: { spec: { ports: [{ name: 'p', port: 80 }], selector: { a: 'b' } } },
    knobs: [
      { path: 'spec.ports.0.port', values: [80, 8080, 0] },
      { path: 'spec.selector', values: [{ a: 'c' }, {}] },
      { path: 'spec.sessionAffinity', values: ['ClientIP', 'None', 'Odd'] },
    ],
    subresources: [],
    statuses: [{ loadBalancer: { ingress: [{ ip: '10.1.2.3' }] } }],
  },
  {
    group: '',
    versions: ['v1'],
    resource: 'namespaces',
    kind: 'Namespace',
    namespaced: false,
    body: {},
    knobs: [{ path: 'metadata.labels.team', values: ['a', 'b'] }],
    subresources: [],
    statuses: [{ phase: 'Active' }],
  },
  {
    group: 'apps',
    versions: ['v1'],
    resource: 'deployments',
    kind: 'Deployment',
    namespaced: true,
    body: { spec: { replicas: 1, selector: { matchLabels: { a: 'b' } }, template } },
    knobs: [
      { path: 'spec.replicas', values: [0, 1, 3, 5, -1] },
      { path: 'spec.paused', values: [true, false] },
      { path: 'spec.minReadySeconds', values: [0, 5] },
      { path: 'spec.strategy', values: [{ type: 'Recreate' }, { type: 'RollingUpdate' }, { type: 'Odd' }] },
      { path: 'spec.template.metadata.labels', values: [{ a: 'b', x: 'y' }, { a: 'c' }] },
      ...podKnobs('spec.template.spec'),
    ],
    subresources: ['scale'],
    statuses: [{ replicas: 1 }, { replicas: -1 }, { observedGeneration: 2 }],
  },
  {
    group: 'batch',
    versions: ['v1'],
    resource: 'cronjobs',
    kind: 'CronJob',
    namespaced: true,
    body: {
      spec: {
        schedule: '* * * * *',
        suspend: true,
        jobTemplate: { spec: { template: { ...template, spec: { containers, restartPolicy: 'Never' } } } },
      },
    },
    knobs: [
      { path: 'spec.schedule', values: ['0 1 * * *', '@daily', 'bad'] },
      { path: 'spec.suspend', values: [true, false] },
      { path: 'spec.successfulJobsHistoryLimit', values: [0, 7] },
      ...podKnobs('spec.jobTemplate.spec.template.spec'),
    ],
    subresources: [],
    statuses: [{ lastScheduleTime: '2026-01-02T03:04:05Z' }],
  },
  {
    group: 'autoscaling',
    versions: ['v2', 'v1'],
    resource: 'horizontalpodautoscalers',
    kind: 'HorizontalPodAutoscaler',
    namespaced: true,
    body: { spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } } },
    knobs: [
      { path: 'spec.maxReplicas', values: [1, 3, 10, 0] },
      { path: 'spec.minReplicas', values: [1, 2, 5] },
      { path: 'spec.scaleTargetRef.name', values: ['d', 'e', ''] },
    ],
    subresources: [],
    statuses: [{ currentReplicas: 2, desiredReplicas: 2 }],
  },
  {
    group: 'coordination.k8s.io',
    versions: ['v1'],
    resource: 'leases',
    kind: 'Lease',
    namespaced: true,
    body: { spec: { holderIdentity: 'x', leaseDurationSeconds: 5 } },
    knobs: [
      { path: 'spec.holderIdentity', values: words },
      { path: 'spec.leaseDurationSeconds', values: [1, 60, 0] },
      { path: 'spec.renewTime', values: ['2026-01-02T03:04:05.000000Z', '2026-01-02T03:04:05Z', 'x'] },
    ],
    subresources: [],
  },
  {
    group: 'scheduling.k8s.io',
    versions: ['v1'],
    resource: 'priorityclasses',
    kind: 'PriorityClass',
    namespaced: false,
    body: { value: 5, description: 'x' },
    knobs: [
      { path: 'value', values: [5, 6, 2_000_000_000] },
      { path: 'description', values: words },
      { path: 'preemptionPolicy', values: ['Never', 'PreemptLowerPriority'] },
    ],
    subresources: [],
  },
  {
    group: customGroup,
    versions: ['v1', 'v2'],
    resource: 'limits',
    kind: 'Limit',
    namespaced: true,
    body: { spec: { word: 'x', number: 1.5, replicas: 2, list: ['a'], whole: { a: 'b' }, items: [{ k: 'a', v: 1 }] } },
    knobs: [
      { path: 'spec.word', values: words },
      { path: 'spec.number', values: [1.5, 2, 1e21, -1] },
      { path: 'spec.replicas', values: [0, 3] },
      { path: 'spec.list', values: [['a'], ['a', 'b'], ['a', 'a']] },
      { path: 'spec.whole', values: [{ a: 'b' }, { c: 'd' }] },
      { path: 'spec.items', values: [[{ k: 'b', v: 2 }], [{ k: 'a', v: 3 }], [{ v: 1 }]] },
      { path: 'spec.unknown', values: ['x'] },
    ],
    subresources: ['scale'],
    statuses: [{ replicas: 2, phase: 'x' }, { replicas: 'x' }],
  },
];

/** A kind that is only used for parameters, of the whole cluster. */
export const boundKind = { plural: 'bounds', kind: 'Bound' };

function version(name: string, storage: boolean): JsonObject {
  return {
    name,
    served: true,
    storage,
    subresources: {
      status: {},
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    },
    schema: { openAPIV3Schema: schema },
  };
}

const schema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        word: { type: 'string', default: 'default' },
        number: { type: 'number' },
        replicas: { type: 'integer' },
        list: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } },
        items: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: {
            type: 'object',
            required: ['k'],
            properties: { k: { type: 'string' }, v: { type: 'integer', default: 7 } },
          },
        },
      },
    },
    status: { type: 'object', properties: { replicas: { type: 'integer' }, phase: { type: 'string' } } },
  },
};

export function definition(plural: string, kind: string, scope: string): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${customGroup}` },
    spec: {
      group: customGroup,
      scope,
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [version('v1', true), version('v2', false)],
    },
  };
}
