import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import type { Exchange } from '#test/compare/exchange.ts';
import { get, type Request } from '#test/conformance/series/series.ts';
import { post } from './requests.ts';
import type { RuleCase } from './rule-case.ts';

const pods = '/api/v1/namespaces/default/pods';

/** Right and wrong delete options, of an eviction and of a deletion. */
const options: readonly JsonObject[] = [
  {},
  { dryRun: ['All'] },
  { dryRun: ['Bad'] },
  { dryRun: ['All', 'All'] },
  { dryRun: ['All', 'Bad'] },
  { dryRun: [] },
  { dryRun: [''] },
  { propagationPolicy: 'Bogus' },
  { propagationPolicy: '' },
  { propagationPolicy: 'Orphan' },
  { propagationPolicy: 'Foreground' },
  { propagationPolicy: 'Background' },
  { orphanDependents: true },
  { orphanDependents: false },
  { orphanDependents: true, propagationPolicy: 'Orphan' },
  { orphanDependents: false, propagationPolicy: 'Bogus', dryRun: ['Bad'] },
  { ignoreStoreReadErrorWithClusterBreakingPotential: true },
  { ignoreStoreReadErrorWithClusterBreakingPotential: false },
  { ignoreStoreReadErrorWithClusterBreakingPotential: true, dryRun: ['All'] },
  {
    ignoreStoreReadErrorWithClusterBreakingPotential: true,
    dryRun: ['All'],
    propagationPolicy: 'Orphan',
    gracePeriodSeconds: 5,
    preconditions: { uid: 'x' },
  },
  { ignoreStoreReadErrorWithClusterBreakingPotential: true, orphanDependents: true },
  { gracePeriodSeconds: 5 },
  { gracePeriodSeconds: 0 },
  { gracePeriodSeconds: -1 },
  { preconditions: {} },
  { preconditions: { uid: '' } },
  { preconditions: { uid: 'x' } },
  { preconditions: { resourceVersion: '' } },
  { preconditions: { resourceVersion: '1' } },
  { preconditions: { resourceVersion: 'x' } },
  { apiVersion: 'v1', kind: 'DeleteOptions' },
  { apiVersion: 'policy/v1', kind: 'Other' },
  { unknown: true },
];

const eviction = (name: string, deleteOptions?: JsonValue): JsonValue => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name },
  ...(deleteOptions === undefined ? {} : { deleteOptions }),
});

const running: JsonObject = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
/** Where a pod is, in the ways that the reference distinguishes. */
const states: Readonly<Record<string, JsonObject>> = {
  pending: {},
  running,
  finished: { status: { phase: 'Succeeded' } },
};

function inState(name: string, status: JsonObject): readonly Request[] {
  return [
    post(pods, { metadata: { name }, spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] } }),
    ...(Object.keys(status).length === 0
      ? []
      : [{ method: 'PATCH', path: `${pods}/${name}/status`, body: status } satisfies Request]),
  ];
}

function end(name: string): readonly Request[] {
  return [
    get(`${pods}/${name}`),
    { method: 'PATCH', path: `${pods}/${name}`, body: { metadata: { finalizers: null } } },
    { method: 'DELETE', path: `${pods}/${name}?gracePeriodSeconds=0` },
  ];
}

const names = (run: string): string => run.slice(0, 40);

/** Each pair of a dry run in the query and one in the body. */
const dryRuns = ['', '?dryRun=All', '?dryRun=All&dryRun=All', '?dryRun=Bad'].flatMap((query) =>
  [undefined, {}, { dryRun: ['All'] }, { dryRun: ['All', 'All'] }, { dryRun: ['Bad'] }].map((body) => ({
    query,
    body,
  })),
);

export const evictionCases: readonly RuleCase[] = [
  ...Object.entries(states).map(([state, status]): RuleCase => ({
    name: `evictions of ${state} pods`,
    covers: ['Eviction.deleteOptions', 'Preconditions.resourceVersion', 'Preconditions.uid'],
    requests: (run) =>
      options.flatMap((deleteOptions, index) => {
        const name = `${names(run)}-${index}`;
        return [
          ...inState(name, status),
          post(`${pods}/${name}/eviction`, eviction(name, deleteOptions)),
          ...end(name),
        ];
      }),
  })),
  {
    name: 'evictions in dry runs',
    requests: (run) =>
      dryRuns.flatMap(({ query, body }, index) => {
        const name = `${names(run)}-${index}`;
        return [
          ...inState(name, running),
          post(`${pods}/${name}/eviction${query}`, eviction(name, body)),
          ...end(name),
        ];
      }),
  },
  {
    name: 'evictions of missing and other pods',
    requests: (run) => {
      const name = names(run);
      return [
        ...inState(name, running),
        post(`${pods}/missing/eviction`, eviction('missing')),
        post(`${pods}/missing/eviction`, eviction('missing', { propagationPolicy: 'Bogus' })),
        post(
          `${pods}/missing/eviction`,
          eviction('missing', { ignoreStoreReadErrorWithClusterBreakingPotential: true }),
        ),
        post(`${pods}/missing/eviction?dryRun=All`, eviction('missing', { dryRun: ['Bad'] })),
        post(`${pods}/${name}/eviction`, eviction('other', { dryRun: ['Bad'] })),
        post(`${pods}/${name}/eviction?dryRun=All`, eviction('', {})),
        post(`${pods}/${name}/eviction?dryRun=All`, { metadata: { name, namespace: 'other' } }),
        post(`${pods}/${name}/eviction?dryRun=All`, {
          ...(eviction(name) as JsonObject),
          apiVersion: 'policy/v1beta1',
        }),
        post(`${pods}/${name}/eviction?dryRun=All`, { ...(eviction(name) as JsonObject), apiVersion: 'v1' }),
        ...end(name),
      ];
    },
  },
  {
    name: 'evictions with right preconditions',
    requests: (run) =>
      Object.entries(states).flatMap(([state, status]) => {
        const name = `${names(run)}-${state}`;
        return [
          ...inState(name, status),
          {
            method: 'POST',
            path: `${pods}/${name}/eviction`,
            body: (answers: readonly Exchange[]) =>
              eviction(name, {
                preconditions: { uid: stringAt(answers.at(-1)?.body ?? null, 'metadata', 'uid') },
              }),
          },
          ...end(name),
        ] satisfies readonly Request[];
      }),
  },
  {
    name: 'evictions beside a budget',
    requests: (run) => {
      const name = names(run);
      const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
      return [
        ...inState(name, running),
        { method: 'PATCH', path: `${pods}/${name}`, body: { metadata: { labels: { run: name } } } },
        post(budgets, { metadata: { name }, spec: { minAvailable: 1, selector: { matchLabels: { run: name } } } }),
        post(`${pods}/${name}/eviction`, eviction(name)),
        {
          method: 'PATCH',
          path: `${budgets}/${name}/status`,
          body: {
            status: {
              observedGeneration: 1,
              disruptionsAllowed: 1,
              currentHealthy: 2,
              desiredHealthy: 1,
              expectedPods: 2,
            },
          },
        },
        post(`${pods}/${name}/eviction?dryRun=All`, eviction(name)),
        post(`${pods}/${name}/eviction`, eviction(name, { dryRun: ['All'] })),
        post(`${pods}/${name}/eviction`, eviction(name, { dryRun: ['Bad'] })),
        get(`${budgets}/${name}`),
        // The budget is used although the options are refused then.
        post(`${pods}/${name}/eviction`, eviction(name, { propagationPolicy: 'Bogus' })),
        get(`${budgets}/${name}`),
        get(`${pods}/${name}`),
        post(`${pods}/${name}/eviction`, eviction(name)),
        { method: 'DELETE', path: `${budgets}/${name}` },
        ...end(name),
      ];
    },
  },
  {
    name: 'deletions with options',
    covers: [
      'dryRun',
      'gracePeriodSeconds',
      'ignoreStoreReadErrorWithClusterBreakingPotential',
      'orphanDependents',
      'preconditions',
      'propagationPolicy',
    ].map((name) => `DeleteOptions.${name}`),
    requests: (run) =>
      options.flatMap((body, index) => {
        const name = `${names(run)}-${index}`;
        const maps = '/api/v1/namespaces/default/configmaps';
        return [
          post(maps, { metadata: { name } }),
          { method: 'DELETE', path: `${maps}/${name}`, body },
          { method: 'DELETE', path: `${maps}?fieldSelector=metadata.name%3D${name}`, body },
          get(`${maps}/${name}`),
          { method: 'PATCH', path: `${maps}/${name}`, body: { metadata: { finalizers: null } } },
        ];
      }),
  },
  {
    name: 'deletions with options in the query',
    requests: (run) =>
      [
        'dryRun=All',
        'dryRun=Bad',
        'propagationPolicy=Orphan',
        'propagationPolicy=Bogus',
        'propagationPolicy=',
        'orphanDependents=true',
        'orphanDependents=true&propagationPolicy=Orphan',
        'orphanDependents=x',
        'gracePeriodSeconds=5',
        'gracePeriodSeconds=x',
        'ignoreStoreReadErrorWithClusterBreakingPotential=true',
        'ignoreStoreReadErrorWithClusterBreakingPotential=x',
        'ignoreStoreReadErrorWithClusterBreakingPotential=true&dryRun=All',
        'ignoreStoreReadErrorWithClusterBreakingPotential=false',
        'uid=x',
        'resourceVersion=1',
      ].flatMap((query, index) => {
        const name = `${names(run)}-${index}`;
        const maps = '/api/v1/namespaces/default/configmaps';
        return [
          post(maps, { metadata: { name } }),
          { method: 'DELETE', path: `${maps}/${name}?${query}` },
          get(`${maps}/${name}`),
          { method: 'PATCH', path: `${maps}/${name}`, body: { metadata: { finalizers: null } } },
        ];
      }),
  },
];
