import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { isObject } from '#shared/apimachinery/json/json.ts';
import { apply, get, type Request, type Series } from './series.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

function configMap(name: string, data: JsonObject, annotations?: JsonObject): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', ...(annotations === undefined ? {} : { annotations }) },
    data,
  };
}

function deployment(name: string, replicas: number, image: string): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default', labels: { app: 'a' } },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image }] } },
    },
  };
}

/** As kubectl does without `--server-side`: the object with a note of what was applied. */
function noted(config: JsonObject): JsonObject {
  const { metadata } = config;
  if (!isObject(metadata)) return config;
  const annotations = isObject(metadata['annotations']) ? metadata['annotations'] : {};
  return {
    ...config,
    metadata: { ...metadata, annotations: { ...annotations, [lastApplied]: `${JSON.stringify(config)}\n` } },
  };
}

const create = (path: string, manager: string, body: JsonObject): Request => ({
  method: 'POST',
  path: `${path}?fieldManager=${manager}`,
  body,
});
const merge = (path: string, manager: string, body: JsonObject): Request => ({
  method: 'PATCH',
  path: `${path}?fieldManager=${manager}`,
  body,
});

/** What `kubectl apply` left, taken over by `kubectl apply --server-side`. */
const upgrades: readonly Series[] = [
  {
    name: 'upgrade from client-side apply: what is as it was applied is no conflict',
    requests: (run) => {
      const [path, old] = [`${configMaps}/${run}`, configMap(run, { a: '1', b: '2' })];
      return [
        create(configMaps, 'kubectl-client-side-apply', noted(old)),
        apply(path, 'kubectl', configMap(run, { a: 'new', b: '2' })),
        get(path),
        apply(path, 'kubectl', configMap(run, { b: '3' })),
        apply(path, 'other', configMap(run, { b: '4' })),
        apply(path, 'kubectl', configMap(run, { b: '5' })),
      ];
    },
  },
  {
    name: 'upgrade from client-side apply: what another changed since is a conflict, alone',
    requests: (run) => {
      const [path, old] = [`${configMaps}/${run}`, configMap(run, { a: '1', b: '2', c: '3' })];
      return [
        create(configMaps, 'kubectl-client-side-apply', noted(old)),
        merge(path, 'editor', { data: { a: 'edited', d: 'theirs' } }),
        apply(path, 'kubectl', configMap(run, { a: 'mine', b: 'mine', d: 'mine' })),
        apply(path, 'kubectl', configMap(run, { a: 'mine', b: 'mine', d: 'mine' }), '&force=true'),
        get(path),
      ];
    },
  },
  {
    name: 'upgrade from client-side apply: only for the manager kubectl',
    requests: (run) => [
      create(configMaps, 'kubectl-client-side-apply', noted(configMap(run, { a: '1' }))),
      apply(`${configMaps}/${run}`, 'other', configMap(run, { a: '2' })),
    ],
  },
  {
    name: 'upgrade from client-side apply: a workload with items, defaults and numbers',
    requests: (run) => {
      const path = `${deployments}/${run}`;
      return [
        create(deployments, 'kubectl-client-side-apply', noted(deployment(run, 1, 'a:1'))),
        merge(`${path}/scale`, 'scaler', { spec: { replicas: 4 } }),
        apply(path, 'kubectl', deployment(run, 2, 'a:2')),
        apply(path, 'kubectl', deployment(run, 4, 'a:2')),
        apply(path, 'kubectl', deployment(run, 5, 'a:3'), '&force=true'),
        get(path),
      ];
    },
  },
  {
    name: 'upgrade from client-side apply: notes that cannot be used',
    requests: (run) =>
      [
        'no json',
        '{}',
        '[]',
        'null',
        '{"apiVersion":"v2","kind":"ConfigMap"}',
        '{"apiVersion":"v1","kind":"ConfigMap","data":{"a":1}}',
        '{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"1"},"odd":1}',
        '{"apiVersion":"v1","kind":"Secret","data":{"a":"1"}}',
        '',
      ].flatMap((note, index) => [
        create(
          configMaps,
          'kubectl-client-side-apply',
          configMap(`${run}-${index}`, { a: '1' }, { [lastApplied]: note }),
        ),
        apply(`${configMaps}/${run}-${index}`, 'kubectl', configMap(`${run}-${index}`, { a: '2' })),
      ]),
  },
  {
    name: 'server-side apply keeps the note of client-side apply where there is one',
    requests: (run) => [
      create(configMaps, 'kubectl-client-side-apply', noted(configMap(run, { a: '1' }))),
      apply(`${configMaps}/${run}`, 'kubectl', configMap(run, { a: '2', b: '1' }), '&force=true'),
      apply(`${configMaps}/${run}`, 'kubectl', configMap(run, { a: 'x'.repeat(300_000) })),
      get(`${configMaps}/${run}`),
      apply(`${configMaps}/${run}`, 'kubectl', configMap(run, { a: '3' })),
      get(`${configMaps}/${run}`),
    ],
  },
  {
    name: 'objects without managers: an update leaves them so, the first apply finds a manager of its own',
    requests: (run) => [
      create(configMaps, 'one', configMap(run, { a: '1', b: '2' })),
      merge(`${configMaps}/${run}`, 'one', { metadata: { managedFields: [{}] } }),
      merge(`${configMaps}/${run}`, 'one', { data: { a: '2' } }),
      apply(`${configMaps}/${run}`, 'two', configMap(run, { a: '3' })),
      apply(`${configMaps}/${run}`, 'two', configMap(run, { a: '3' }), '&force=true'),
      get(`${configMaps}/${run}`),
    ],
  },
];

const managers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `m${String.fromCharCode(97 + ((index * 7) % 26))}${index}`);

/** Updates of many managers: the eldest share an entry. */
const caps: readonly Series[] = [
  {
    name: 'more than ten managers of updates',
    requests: (run) => [
      create(configMaps, 'first', configMap(run, { first: '1' })),
      ...managers(14).map((name) => merge(`${configMaps}/${run}`, name, { data: { [name]: '1' } })),
      apply(`${configMaps}/${run}`, 'applier', configMap(run, { applied: '1' })),
      merge(`${configMaps}/${run}`, 'late', { data: { ma0: '2', applied: '2' } }),
      apply(`${configMaps}/${run}`, 'applier', configMap(run, { applied: '3', first: '2' })),
      get(`${configMaps}/${run}`),
    ],
  },
  {
    name: 'more than ten managers of updates in two versions and a subresource',
    requests: (run) => {
      const v1 = `/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers`;
      const v2 = v1.replace('v1/namespaces', 'v2/namespaces');
      const spec = { scaleTargetRef: { kind: 'Deployment', name: 'a', apiVersion: 'apps/v1' }, maxReplicas: 3 };
      return [
        create(v1, 'first', {
          apiVersion: 'autoscaling/v1',
          kind: 'HorizontalPodAutoscaler',
          metadata: { name: run, namespace: 'default' },
          spec,
        }),
        ...managers(12).map((name, index) =>
          merge(`${index % 2 === 0 ? v1 : v2}/${run}`, name, { metadata: { labels: { [name]: '1' } } }),
        ),
        merge(`${v2}/${run}/status`, 'status', { status: { currentReplicas: 1, desiredReplicas: 2 } }),
        ...managers(3).map((name) =>
          merge(`${v1}/${run}/status`, name, { metadata: { annotations: { [name]: '1' } } }),
        ),
        get(`${v2}/${run}`),
        get(`${v1}/${run}`),
      ];
    },
  },
  {
    name: 'more managers than ten are kept where a client writes them',
    requests: (run) => [
      {
        method: 'POST',
        path: configMaps,
        body: {
          ...configMap(run, { a: '1' }),
          metadata: {
            name: run,
            managedFields: managers(14).map((manager, index) => ({
              manager,
              operation: 'Update',
              apiVersion: 'v1',
              time: `2020-01-01T00:00:${String(index + 10)}Z`,
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:data': { [`f:k${index}`]: {} } },
            })),
          },
        },
      },
      get(`${configMaps}/${run}`),
      {
        method: 'PUT',
        path: `${configMaps}/${run}?fieldManager=putter`,
        body: (answers) => ({ ...(answers[1]?.body as JsonObject), data: { a: '2' } }),
      },
      get(`${configMaps}/${run}`),
    ],
  },
];

const oddVersions = ['v2', 'apps/v1', 'extensions/v1beta1', 'a/b/c', '/', 'odd.example.com/v1'];

/** Entries of versions that there are not. */
const versions: readonly Series[] = [
  {
    name: 'managers of versions that are not served',
    requests: (run) =>
      oddVersions.flatMap((apiVersion, index) => {
        const [name, path] = [`${run}-${index}`, `${configMaps}/${run}-${index}`];
        const entry = (manager: string, operation: string): JsonObject => ({
          manager,
          operation,
          apiVersion,
          time: '2020-01-01T00:00:00Z',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { 'f:a': {}, [`f:${manager}`]: {} } },
        });
        return [
          {
            method: 'POST',
            path: `${configMaps}?fieldManager=one`,
            body: {
              ...configMap(name, { a: '1', old: '1' }),
              metadata: { name, managedFields: [entry('old', 'Update'), entry('applied', 'Apply')] },
            },
          },
          apply(path, 'two', configMap(name, { a: '2' })),
          apply(path, 'applied', configMap(name, { a: '2' })),
          merge(path, 'three', { data: { c: '3' } }),
          get(path),
        ];
      }),
  },
];

/** Writes whose managers no one can hold. */
const largeData = (count: number, length: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`.padEnd(length, 'x'), '']));

const large: readonly Series[] = [
  {
    name: 'objects that are too large with their managers live without',
    requests: (run) => [
      { method: 'POST', path: `${configMaps}?fieldManager=one`, body: configMap(run, largeData(3500, 250)) },
      merge(`${configMaps}/${run}`, 'two', { data: { more: '1' } }),
      {
        method: 'PUT',
        path: `${configMaps}/${run}?fieldManager=three`,
        body: configMap(run, { ...largeData(3500, 250), put: '1' }),
      },
      apply(`${configMaps}/${run}`, 'four', configMap(run, { four: '1' })),
      { method: 'DELETE', path: `${configMaps}/${run}` },
    ],
  },
  {
    name: 'an object grows too large for its managers',
    requests: (run) => [
      create(configMaps, 'one', configMap(run, { a: '1' })),
      merge(`${configMaps}/${run}`, 'two', { data: largeData(3500, 250) }),
      get(`${configMaps}/${run}`),
      { method: 'DELETE', path: `${configMaps}/${run}` },
      create(configMaps, 'one', configMap(`${run}-put`, { a: '1' })),
      {
        method: 'PUT',
        path: `${configMaps}/${run}-put?fieldManager=three`,
        body: configMap(`${run}-put`, largeData(3500, 250)),
      },
      get(`${configMaps}/${run}-put`),
      { method: 'DELETE', path: `${configMaps}/${run}-put` },
      apply(`${configMaps}/${run}-applied`, 'one', configMap(`${run}-applied`, largeData(3500, 250))),
    ],
  },
];

export const managedFieldsSeries: readonly Series[] = [...upgrades, ...caps, ...versions, ...large];
