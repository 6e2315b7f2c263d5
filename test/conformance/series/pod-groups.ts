import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { apply, type Request, type Series } from './series.ts';
import { groupParts } from './workloads.ts';

// Groups of pods, their status, what they and pods refer to: for servers with every feature.

const root = '/apis/scheduling.k8s.io/v1alpha2/namespaces/default';
const [workloads, groups] = [`${root}/workloads`, `${root}/podgroups`];
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const long = (bytes: number): string => 'x'.repeat(bytes);
const policy: JsonObject = { schedulingPolicy: { gang: { minCount: 2 } } };
const group = (name: string, spec: JsonValue, more: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'scheduling.k8s.io/v1alpha2',
  kind: 'PodGroup',
  metadata: { name, ...metadata },
  spec,
  ...more,
});
const reference = (workloadName: JsonValue, podGroupTemplateName: JsonValue): JsonObject => ({
  ...policy,
  podGroupTemplateRef: { workload: { workloadName, podGroupTemplateName } },
});
const condition = (more: JsonObject): JsonObject => ({
  type: 'PodGroupScheduled',
  status: 'True',
  lastTransitionTime: '2020-01-01T00:00:00Z',
  reason: 'Fine',
  message: '',
  ...more,
});
const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
const strategic = { 'content-type': 'application/strategic-merge-patch+json' };

/** Those of the system are too high for groups. */
const someClass: Request = {
  method: 'POST',
  path: '/apis/scheduling.k8s.io/v1/priorityclasses',
  body: { metadata: { name: 'of-groups' }, value: 9 },
};

const references: readonly JsonObject[] = [
  { ...policy, podGroupTemplateRef: {} },
  { ...policy, podGroupTemplateRef: null },
  { ...policy, podGroupTemplateRef: { workload: {} } },
  { podGroupTemplateRef: {} },
  {},
  reference('A', 'B.c'),
  reference('', ''),
  reference(`${long(63)}.${long(63)}`, long(64)),
  reference(null, 'a'),
  reference('a/b', 'a b'),
  reference('gone', 'a'),
];

const whole: JsonObject = {
  ...policy,
  schedulingConstraints: { topology: [{ key: 'rack' }] },
  resourceClaims: [
    { name: 'c', resourceClaimTemplateName: 'x' },
    { name: 'd', resourceClaimName: 'y' },
    { name: 'e', resourceClaimName: 'z' },
    { name: 'f', resourceClaimName: 'z' },
  ],
  disruptionMode: 'PodGroup',
  priorityClassName: 'of-groups',
};

const changed: readonly JsonObject[] = [
  {},
  { ...whole, podGroupTemplateRef: {} },
  { ...whole, podGroupTemplateRef: { workload: { workloadName: 'gone', podGroupTemplateName: 'b' } } },
  ...[
    { schedulingPolicy: {} },
    { schedulingPolicy: { basic: {} } },
    { schedulingPolicy: { gang: { minCount: 3 } } },
    { schedulingConstraints: null },
    { schedulingConstraints: {} },
    { schedulingConstraints: { topology: [] } },
    { schedulingConstraints: { topology: [{ key: '_' }, { key: '_' }] } },
    { resourceClaims: null },
    { resourceClaims: [] },
    { resourceClaims: many(5, () => ({})) },
    { disruptionMode: null },
    { disruptionMode: 'Pod' },
    { disruptionMode: 'x' },
    { priorityClassName: null },
    { priorityClassName: 'A' },
    { priorityClassName: 'system-node-critical' },
    { priority: null },
    { priority: 1 },
    { priority: 2_000_000_000 },
  ].map((more) => ({ ...whole, ...more })),
];

const statuses: readonly JsonObject[] = [
  {},
  { conditions: [condition({})] },
  { conditions: [condition({}), condition({})] },
  {
    conditions: [
      condition({ type: 'a b', status: 'Maybe', observedGeneration: -1, lastTransitionTime: null, reason: '' }),
    ],
  },
  {
    conditions: [
      condition({ status: 'False', reason: 'Unschedulable' }),
      condition({ type: 'DisruptionTarget', reason: 'PreemptionByScheduler' }),
    ],
  },
  { resourceClaimStatuses: [{ name: 'c' }] },
  {
    resourceClaimStatuses: [
      { name: 'c', resourceClaimName: 'Y' },
      { name: 'd', resourceClaimName: '' },
    ],
  },
  { resourceClaimStatuses: [{ name: 'c' }, { name: 'c', resourceClaimName: 'x' }, { name: 'c' }] },
  { resourceClaimStatuses: [{ name: 'none' }, {}] },
  { resourceClaimStatuses: many(5, (index) => ({ name: `n${index}` })) },
  { resourceClaimStatuses: ['c', 'd', 'e', 'f'].map((name) => ({ name, resourceClaimName: 'x' })) },
  { resourceClaimStatuses: [{ name: 'c', resourceClaimName: `${long(63)}.`.repeat(4) }] },
  { resourceClaimStatuses: null, conditions: [] },
];

const pod = (name: string, schedulingGroup: JsonValue, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], schedulingGroup, ...more },
});
const links: readonly JsonValue[] = [
  null,
  {},
  { podGroupName: null },
  ...['', 'a', 'A', 'a.b', 'a/b', long(254)].map((podGroupName) => ({ podGroupName })),
];
const pods = '/api/v1/namespaces/default/pods';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const job = (name: string, schedulingGroup: JsonValue): JsonObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: {
    suspend: true,
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }], schedulingGroup } },
  },
});

export const podGroupSeries: readonly Series[] = [
  {
    name: 'groups of pods: made',
    requests: (run) =>
      [...references, ...groupParts.map((part) => ({ ...policy, ...part }))].map((spec, index): Request => ({
        method: 'POST',
        path: groups,
        body: group(`${run}-${index}`, spec),
      })),
  },
  {
    name: 'groups of pods: metadata, and who prints them',
    requests: (run) => [
      ...[`${run}_`, `${run}.b`, `${run}B`, ''].map((name): Request => ({
        method: 'POST',
        path: groups,
        body: group(name, policy, { status: { conditions: [condition({})] } }),
      })),
      {
        method: 'POST',
        path: groups,
        body: group(
          `${run}-c`,
          policy,
          {},
          { finalizers: ['scheduling.k8s.io/podgroup-protection', 'example.com/mine'] },
        ),
      },
      { method: 'POST', path: groups, body: group(`${run}-d`, policy, {}, { finalizers: ['example.com/mine'] }) },
      { method: 'POST', path: `${groups}?dryRun=All`, body: group(`${run}-e`, policy) },
      { method: 'GET', path: `${groups}/${run}.b`, headers: table },
      { method: 'GET', path: `${groups}/${run}.b/status` },
      { method: 'PUT', path: `${groups}/${run}-new`, body: group(`${run}-new`, policy) },
      { method: 'DELETE', path: `${groups}/${run}.b` },
      { method: 'GET', path: `${groups}/${run}.b` },
      { method: 'PATCH', path: `${groups}/${run}.b`, body: { metadata: { finalizers: ['example.com/more'] } } },
      { method: 'PATCH', path: `${groups}/${run}.b`, body: { metadata: { finalizers: null } } },
      { method: 'GET', path: `${groups}/${run}.b` },
    ],
  },
  {
    name: 'groups of pods: the workload that they name',
    requests: (run) => [
      {
        method: 'POST',
        path: workloads,
        body: {
          metadata: { name: run, finalizers: ['example.com/mine'] },
          spec: { podGroupTemplates: [{ name: 'a', schedulingPolicy: { basic: {} } }] },
        },
      },
      ...[reference(run, 'a'), reference(run, 'b'), reference(`${run}-none`, 'a'), reference(run, '')].map(
        (spec, index): Request => ({ method: 'POST', path: groups, body: group(`${run}-${index}`, spec) }),
      ),
      { method: 'GET', path: `${groups}/${run}-0`, headers: table },
      { method: 'PATCH', path: `${groups}/${run}-0`, body: { metadata: { labels: { a: 'b' } } } },
      { method: 'DELETE', path: `${workloads}/${run}` },
      {
        method: 'POST',
        path: `${groups}?dryRun=All`,
        body: group(`${run}-5`, reference(run, 'a')),
        until: ({ status }) => status === 403,
      },
      { method: 'POST', path: groups, body: group(`${run}-5`, reference(run, 'a')) },
      { method: 'PATCH', path: `${groups}/${run}-0`, body: { metadata: { labels: { a: 'c' } } } },
    ],
  },
  {
    name: 'groups of pods: changed',
    requests: (run) => [
      someClass,
      { method: 'POST', path: groups, body: group(run, whole) },
      {
        method: 'PUT',
        path: `${groups}/${run}`,
        body: group(run, { ...whole, priority: 9 }, { status: { conditions: [condition({})] } }),
      },
      ...changed.flatMap((spec, index): Request[] => [
        { method: 'PUT', path: `${groups}/${run}`, body: group(run, spec, {}, { labels: { round: `${index}` } }) },
        { method: 'PATCH', path: `${groups}/${run}`, body: { metadata: { labels: { round: 'A B' } }, spec } },
      ]),
      {
        method: 'PATCH',
        path: `${groups}/${run}`,
        headers: strategic,
        body: { spec: { resourceClaims: [{ name: 'c', resourceClaimTemplateName: 'x' }] } },
      },
      {
        method: 'PATCH',
        path: `${groups}/${run}`,
        headers: strategic,
        body: { spec: { resourceClaims: [{ name: 'c', resourceClaimName: 'x' }] } },
      },
      { method: 'GET', path: `${groups}/${run}` },
    ],
  },
  {
    name: 'groups of pods: status',
    requests: (run) => [
      someClass,
      { method: 'POST', path: groups, body: group(run, whole) },
      ...statuses.flatMap((status): Request[] => [
        {
          method: 'PATCH',
          path: `${groups}/${run}/status`,
          body: { metadata: { labels: { a: 'b' } }, spec: { priority: 5 }, status },
        },
        { method: 'PATCH', path: `${groups}/${run}/status`, headers: strategic, body: { status } },
        {
          method: 'PUT',
          path: `${groups}/${run}/status`,
          body: group(run, {}, { status }, { annotations: { a: 'b' } }),
        },
      ]),
      { method: 'PATCH', path: `${groups}/${run}`, body: { status: { conditions: [condition({ reason: 'Other' })] } } },
      { method: 'GET', path: `${groups}/${run}`, headers: table },
      { method: 'GET', path: `${groups}/${run}` },
    ],
  },
  {
    name: 'groups of pods: applied by two',
    requests: (run) => {
      const at = `${groups}/${run}`;
      return [
        someClass,
        apply(at, 'one', group(run, whole)),
        apply(at, 'two', group(run, policy, { status: { conditions: [condition({})] } })),
        apply(at, 'two', group(run, { schedulingPolicy: { gang: { minCount: 4 } } })),
        apply(at, 'two', group(run, { priority: 9 })),
        apply(
          `${at}/status`,
          'two',
          group(run, policy, {
            status: { conditions: [condition({})], resourceClaimStatuses: [{ name: 'c', resourceClaimName: 'x' }] },
          }),
        ),
        apply(`${at}/status`, 'one', group(run, {}, { status: { conditions: [condition({ reason: 'Other' })] } })),
        apply(
          `${at}/status`,
          'one',
          group(run, {}, { status: { conditions: [condition({ reason: 'Other' })] } }),
          '&force=true',
        ),
        apply(
          `${at}/status`,
          'one',
          group(run, {}, { status: { resourceClaimStatuses: [{ name: 'd', resourceClaimName: 'x' }] } }),
        ),
        apply(at, 'one', group(run, { schedulingPolicy: { gang: { minCount: 2 } } })),
        { method: 'GET', path: at },
      ];
    },
  },
  {
    name: 'groups of pods: pods and Jobs that belong to them',
    requests: (run) => [
      ...links.flatMap((link, index): Request[] => [
        { method: 'POST', path: pods, body: pod(`${run}-${index}`, link) },
        { method: 'POST', path: jobs, body: job(`${run}-${index}`, link) },
      ]),
      ...links.slice(0, 6).map((link): Request => ({
        method: 'PATCH',
        path: `${pods}/${run}-4`,
        body: { spec: { schedulingGroup: link } },
      })),
      {
        method: 'POST',
        path: pods,
        body: pod(`${run}-gated`, { podGroupName: 'a' }, { schedulingGates: [{ name: 'x.y/z' }] }),
      },
      { method: 'PATCH', path: `${pods}/${run}-gated`, body: { spec: { schedulingGroup: { podGroupName: 'b' } } } },
      ...links.slice(0, 6).map((link): Request => ({
        method: 'PATCH',
        path: `${jobs}/${run}-4`,
        body: { spec: { template: { spec: { schedulingGroup: link } } } },
      })),
      { method: 'POST', path: groups, body: group('a', policy) },
      { method: 'PATCH', path: `${jobs}/${run}-4`, body: { spec: { parallelism: 3 } } },
      { method: 'GET', path: `${jobs}/${run}-4` },
    ],
  },
];

/** Only where groups have a priority. */
export const groupPrioritySeries: readonly Series[] = [
  {
    name: 'groups of pods: the default class',
    requests: (run) => [
      {
        method: 'POST',
        path: '/apis/scheduling.k8s.io/v1/priorityclasses',
        body: { metadata: { name: run }, value: 7, globalDefault: true },
      },
      {
        method: 'POST',
        path: `${groups}?dryRun=All`,
        body: group(`${run}-a`, policy),
        until: ({ body }) => JSON.stringify(body).includes('"priority":7'),
      },
      ...[{}, { priority: 7 }, { priority: 8 }, { priority: 7, priorityClassName: 'system-node-critical' }].map(
        (more, index): Request => ({
          method: 'POST',
          path: groups,
          body: group(`${run}-${index}`, { ...policy, ...more }),
        }),
      ),
      { method: 'DELETE', path: `/apis/scheduling.k8s.io/v1/priorityclasses/${run}` },
      {
        method: 'POST',
        path: `${groups}?dryRun=All`,
        body: group(`${run}-a`, policy),
        until: ({ body }) => JSON.stringify(body).includes('"priority":0'),
      },
    ],
  },
];
