import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const namespace = '/api/v1/namespaces/default';
const jobs = '/apis/batch/v1/namespaces/default/jobs';

const required = '/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms';
const zone = { key: 'zone', operator: 'In', values: ['a'] };
const affinity = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [
        { matchExpressions: [zone] },
        { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] },
      ],
    },
  },
};
const podAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', labelSelector: { matchLabels: { a: 'b' } } }],
};

type Patch = readonly JsonValue[];
const op = (name: 'add' | 'remove' | 'replace', path: string, value?: JsonValue): JsonValue => ({
  op: name,
  path,
  ...(value === undefined ? {} : { value }),
});

/** Of a pod's spec; what is refused leaves the pod as it was. */
const placements: readonly Patch[] = [
  [op('add', '/spec/nodeSelector', { zone: 'a', disk: 'ssd' })],
  [op('add', '/spec/nodeSelector', { zone: 'b' })],
  [op('remove', '/spec/nodeSelector')],
  [op('add', `${required}/0/matchExpressions/-`, { key: 'cpus', operator: 'Gt', values: ['4'] })],
  [op('add', `${required}/0/matchExpressions/0`, { key: 'first', operator: 'Exists' })],
  [op('add', `${required}/0/matchFields`, [{ key: 'metadata.name', operator: 'In', values: ['n'] }])],
  [op('replace', `${required}/0/matchExpressions/0/values/0`, 'other')],
  [op('remove', `${required}/1`)],
  [op('add', `${required}/-`, { matchExpressions: [zone] })],
  [
    op('add', '/spec/affinity/nodeAffinity/preferredDuringSchedulingIgnoredDuringExecution', [
      { weight: 1, preference: { matchExpressions: [zone] } },
    ]),
  ],
  [op('add', '/spec/affinity/podAffinity', podAffinity)],
  [op('remove', '/spec/affinity/nodeAffinity')],
  [op('add', '/spec/affinity', affinity)],
  [op('add', '/spec/affinity', { podAffinity })],
  [op('add', '/spec/affinity', {})],
  [op('remove', '/spec/affinity')],
  [op('add', '/spec/tolerations', [{ operator: 'Exists' }])],
  [op('add', '/spec/containers/0/resources', { requests: { cpu: '1' } })],
  [op('remove', '/spec/schedulingGates/0')],
];

const podSpec = (more: JsonObject): JsonObject => ({
  restartPolicy: 'Never',
  nodeSelector: { zone: 'a' },
  schedulingGates: [{ name: 'example.com/gate' }],
  containers: [{ name: 'c', image: 'i' }],
  ...more,
});

function patch(path: string, body: Patch): Request {
  return { method: 'PATCH', path, headers: { 'content-type': 'application/json-patch+json' }, body: [...body] };
}

function podRequests(more: JsonObject) {
  return (run: string): readonly Request[] => [
    { method: 'POST', path: `${namespace}/serviceaccounts`, body: { metadata: { name: 'default' } } },
    {
      method: 'POST',
      path: `${namespace}/pods`,
      body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: run }, spec: podSpec(more) },
    },
    ...placements.map((body) => patch(`${namespace}/pods/${run}`, body)),
    ...placements.map((body) => patch(`${namespace}/pods/${run}`, body)),
    { method: 'DELETE', path: `${namespace}/pods/${run}`, body: { gracePeriodSeconds: 0 } },
  ];
}

const inTemplate = (body: Patch): Patch =>
  JSON.parse(JSON.stringify(body).replaceAll('"/spec/', '"/spec/template/spec/')) as Patch;

/** What of a Job's pods may change while it is suspended; `status` is written first. */
function jobRequests(suspend: boolean, status: JsonObject) {
  return (run: string): readonly Request[] => {
    const path = `${jobs}/${run}`;
    const metadata = (name: string): Patch => [op('add', `/spec/template/metadata/${name}`, { a: 'b' })];
    return [
      {
        method: 'POST',
        path: jobs,
        body: {
          apiVersion: 'batch/v1',
          kind: 'Job',
          metadata: { name: run },
          spec: {
            suspend,
            template: {
              metadata: { annotations: { x: 'y' } },
              spec: { ...podSpec({ affinity }), initContainers: [{ name: 'init', image: 'i' }] },
            },
          },
        },
      },
      { method: 'PATCH', path: `${path}/status`, body: { status } },
      ...placements.map((body) => patch(path, inTemplate(body))),
      patch(path, metadata('annotations')),
      patch(path, metadata('labels')),
      patch(path, [op('add', '/spec/template/spec/initContainers/0/resources', { limits: { memory: '1Gi' } })]),
      patch(path, [op('replace', '/spec/template/spec/containers/0/name', 'x')]),
      patch(path, [op('replace', '/spec/template/spec/containers/0/image', 'x')]),
      patch(path, [op('add', '/spec/template/spec/containers/-', { name: 'more', image: 'x' })]),
      { method: 'DELETE', path: `${path}?propagationPolicy=Background` },
    ];
  };
}

const started = { startTime: '2024-01-02T03:04:05Z' };
const suspended = {
  type: 'Suspended',
  status: 'True',
  lastProbeTime: '2024-01-02T03:04:05Z',
  lastTransitionTime: '2024-01-02T03:04:05Z',
};

export const placementSeries: readonly Series[] = [
  { name: 'placement of a gated pod with affinity', requests: podRequests({ affinity }) },
  { name: 'placement of a gated pod with affinity to pods', requests: podRequests({ affinity: { podAffinity } }) },
  { name: 'placement of a gated pod without affinity', requests: podRequests({}) },
  { name: 'placement of a pod without gates', requests: podRequests({ affinity, schedulingGates: [] }) },
  { name: 'pods of a suspended Job', requests: jobRequests(true, {}) },
  { name: 'pods of a suspended Job that was started', requests: jobRequests(true, started) },
  {
    name: 'pods of a suspended Job whose pods are gone',
    requests: jobRequests(true, { ...started, conditions: [suspended] }),
  },
  {
    name: 'pods of a suspended Job whose pods run',
    requests: jobRequests(true, { ...started, active: 1, conditions: [suspended] }),
  },
  { name: 'pods of a running Job', requests: jobRequests(false, {}) },
];
