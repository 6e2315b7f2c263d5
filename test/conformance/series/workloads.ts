import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { apply, type Request, type Series } from './series.ts';

// Workloads, and groups of pods by what is off by default: for servers with every feature.

const root = '/apis/scheduling.k8s.io/v1alpha2/namespaces/default';
const workloads = `${root}/workloads`;
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const long = (bytes: number): string => 'x'.repeat(bytes);
const basic: JsonObject = { basic: {} };
const template = (more: JsonObject, name = 'a'): JsonObject => ({ name, schedulingPolicy: basic, ...more });
const workload = (name: string, spec: JsonValue, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'scheduling.k8s.io/v1alpha2',
  kind: 'Workload',
  metadata: { name, ...metadata },
  spec,
});

const names = ['', 'A', 'a.b', 'a_b', long(63), long(64), '-a', '9'];
const longNames = ['', 'A', 'a.b', 'a_b', `${long(63)}.${long(63)}`, `${`${long(63)}.`.repeat(4)}x`, '-a', 'a/b'];
const segments = ['', '.', '..', 'a/b%c', 'a b', 'Ä', long(300)];

/** What a template and a group of pods have in common, most of it wrong. */
export const groupParts: readonly JsonObject[] = [
  {},
  { schedulingPolicy: null },
  { schedulingPolicy: {} },
  { schedulingPolicy: { gang: {} } },
  { schedulingPolicy: { gang: null } },
  { schedulingPolicy: { basic: {}, gang: { minCount: 1 } } },
  ...[-1, 0, 1, 2 ** 31 - 1, null, '3', 1.5].map((minCount) => ({ schedulingPolicy: { gang: { minCount } } })),
  { schedulingConstraints: {} },
  { schedulingConstraints: { topology: null } },
  { schedulingConstraints: { topology: [] } },
  { schedulingConstraints: { topology: [{ key: 'a' }, { key: 'b' }] } },
  ...['', 'topology.kubernetes.io/rack', 'a/b/c', '/a', 'a/', 'A_b.c', '_', long(64), `${long(254)}/a`, 'B.c/d'].map(
    (key) => ({ schedulingConstraints: { topology: [{ key }] } }),
  ),
  ...names.map((name) => ({ resourceClaims: [{ name, resourceClaimName: 'c' }] })),
  ...longNames.flatMap((name): JsonObject[] => [
    { resourceClaims: [{ name: 'c', resourceClaimName: name }] },
    { resourceClaims: [{ name: 'c', resourceClaimTemplateName: name }] },
    { priorityClassName: name },
  ]),
  { resourceClaims: [{ name: 'c' }, { name: 'c', resourceClaimName: 'x', resourceClaimTemplateName: 'y' }, {}] },
  { resourceClaims: [] },
  { resourceClaims: many(5, (index) => ({ name: `c${index}`, resourceClaimName: 'x' })) },
  { resourceClaims: many(4, (index) => ({ name: `c${index % 2}`, resourceClaimName: 'x' })) },
  { resourceClaims: many(5, () => ({})) },
  ...['', 'Pod', 'PodGroup', 'pod', null].map((disruptionMode) => ({ disruptionMode })),
  ...[0, -5, 1_000_000_000, 1_000_000_001, 2 ** 31 - 1, -(2 ** 31), null].map((priority) => ({ priority })),
  { priorityClassName: 'system-node-critical' },
  { priorityClassName: 'system-node-critical', priority: 2_000_001_000 },
  { priorityClassName: 'none-of-these' },
  {
    schedulingPolicy: {},
    schedulingConstraints: { topology: [{}] },
    resourceClaims: [{}],
    disruptionMode: '',
    priorityClassName: 'A',
    priority: 1_000_000_001,
  },
];

const specs: readonly JsonValue[] = [
  null,
  {},
  { podGroupTemplates: null },
  { podGroupTemplates: [] },
  { podGroupTemplates: [{}] },
  { podGroupTemplates: many(8, (index) => template({}, `t${index}`)) },
  { podGroupTemplates: many(9, (index) => template({}, `t${index}`)) },
  { podGroupTemplates: many(9, () => ({})) },
  {
    podGroupTemplates: [
      template({}),
      template({ disruptionMode: 'x' }),
      template({}, 'b'),
      template({ schedulingPolicy: { gang: { minCount: 2 } }, priorityClassName: '<&>' }),
    ],
  },
  ...names.map((name) => ({ podGroupTemplates: [template({}, name)] })),
  ...longNames.map((apiGroup) => ({
    controllerRef: { apiGroup, kind: 'Job', name: 'j' },
    podGroupTemplates: [template({})],
  })),
  ...segments.flatMap((text): JsonObject[] => [
    { controllerRef: { kind: text, name: 'j' }, podGroupTemplates: [template({})] },
    { controllerRef: { kind: 'k', name: text }, podGroupTemplates: [template({})] },
  ]),
  { controllerRef: {}, podGroupTemplates: [] },
  {
    controllerRef: { apiGroup: 'A', kind: '..', name: '%/' },
    podGroupTemplates: [template({ priority: 1 }, ''), template({}, '')],
  },
  ...groupParts.map((part) => ({ podGroupTemplates: [template(part)] })),
];

const whole: JsonObject = {
  controllerRef: { apiGroup: 'batch', kind: 'Job', name: 'j' },
  podGroupTemplates: [
    template({
      schedulingConstraints: { topology: [{ key: 'rack' }] },
      resourceClaims: [{ name: 'c', resourceClaimName: 'x' }],
      disruptionMode: 'Pod',
      priorityClassName: 'p',
      priority: 3,
    }),
    template({ schedulingPolicy: { gang: { minCount: 2 } } }, 'b'),
  ],
};

const templateOf = (more: JsonObject): JsonObject => ({
  ...whole,
  podGroupTemplates: [
    { ...(whole['podGroupTemplates'] as JsonObject[])[0], ...more },
    (whole['podGroupTemplates'] as JsonValue[])[1] ?? null,
  ],
});

/** Of the whole one. */
const changed: readonly JsonObject[] = [
  whole,
  {},
  { ...whole, controllerRef: null },
  { ...whole, controllerRef: { apiGroup: 'batch', kind: 'Job', name: '%' } },
  { ...whole, podGroupTemplates: [] },
  { ...whole, podGroupTemplates: many(9, () => ({})) },
  { ...whole, podGroupTemplates: (whole['podGroupTemplates'] as JsonValue[]).toReversed() },
  { controllerRef: {}, podGroupTemplates: [template({}, 'A')] },
  ...groupParts.slice(0, 6).map(templateOf),
  templateOf({ resourceClaims: [] }),
  templateOf({ priority: 4 }),
  templateOf({ schedulingConstraints: { topology: [] } }),
];

export const workloadSeries: readonly Series[] = [
  {
    name: 'workloads: made',
    requests: (run) =>
      specs.map((spec, index): Request => ({
        method: 'POST',
        path: workloads,
        body: workload(`${run}-${index}`, spec),
      })),
  },
  {
    name: 'workloads: metadata, and who prints them',
    requests: (run) => [
      ...[`${run}_`, `${run}.b`, `${run}B`, ''].map((name): Request => ({
        method: 'POST',
        path: workloads,
        body: workload(name, whole),
      })),
      {
        method: 'POST',
        path: workloads,
        body: workload(`${run}-c`, {}, { labels: { 'a b': 'c d' }, finalizers: ['x'] }),
      },
      {
        method: 'POST',
        path: `${workloads}?fieldValidation=Strict`,
        body: workload(`${run}-d`, { ...whole, podGroupTemplates: [{ name: 'a', odd: 1 }], status: {} }),
      },
      {
        method: 'GET',
        path: `${workloads}/${run}.b`,
        headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
      },
      { method: 'GET', path: `${workloads}/${run}.b/status` },
      { method: 'PUT', path: `${workloads}/${run}-new`, body: workload(`${run}-new`, whole) },
      { method: 'DELETE', path: `${workloads}/${run}.b` },
      { method: 'GET', path: `${workloads}/${run}.b` },
    ],
  },
  {
    name: 'workloads: changed',
    requests: (run) => [
      { method: 'POST', path: workloads, body: workload(run, whole) },
      ...changed.flatMap((spec, index): Request[] => [
        { method: 'PUT', path: `${workloads}/${run}`, body: workload(run, spec, { labels: { round: `${index}` } }) },
        { method: 'PATCH', path: `${workloads}/${run}`, body: { metadata: { labels: { round: 'A B' } }, spec } },
      ]),
      {
        method: 'PATCH',
        path: `${workloads}/${run}`,
        headers: { 'content-type': 'application/strategic-merge-patch+json' },
        body: { spec: { podGroupTemplates: [{ name: 'a', priority: 3 }] } },
      },
      {
        method: 'PATCH',
        path: `${workloads}/${run}`,
        headers: { 'content-type': 'application/strategic-merge-patch+json' },
        body: { spec: { podGroupTemplates: [{ name: 'c', schedulingPolicy: basic }] } },
      },
      {
        method: 'PATCH',
        path: `${workloads}/${run}`,
        headers: { 'content-type': 'application/json-patch+json' },
        body: [
          {
            op: 'add',
            path: '/spec/podGroupTemplates/0/resourceClaims/-',
            value: { name: 'd', resourceClaimName: 'y' },
          },
        ],
      },
      { method: 'GET', path: `${workloads}/${run}` },
    ],
  },
  {
    name: 'workloads: applied by two',
    requests: (run) => [
      apply(
        `${workloads}/${run}`,
        'one',
        workload(run, { podGroupTemplates: [template({ resourceClaims: [{ name: 'c', resourceClaimName: 'x' }] })] }),
      ),
      apply(
        `${workloads}/${run}`,
        'two',
        workload(run, { podGroupTemplates: [template({ resourceClaims: [{ name: 'c', resourceClaimName: 'x' }] })] }),
      ),
      apply(`${workloads}/${run}`, 'two', workload(run, { podGroupTemplates: [template({ priority: 3 })] })),
      apply(
        `${workloads}/${run}`,
        'two',
        workload(run, { podGroupTemplates: [template({ schedulingPolicy: { gang: { minCount: 3 } } })] }),
      ),
      apply(`${workloads}/${run}`, 'one', workload(run, { podGroupTemplates: [template({})] })),
      apply(`${workloads}/${run}`, 'two', workload(run, {}), '&force=true'),
      apply(`${workloads}/${run}`, 'three', workload(run, {}, { labels: { a: 'b' } })),
      { method: 'GET', path: `${workloads}/${run}` },
    ],
  },
];
