import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Exchange } from '#test/compare/exchange.ts';
import { apply, type Request, type Series } from './series.ts';

const namespace = 'namespaces/default';
const jsonPatch = { 'content-type': 'application/json-patch+json' };
const strategicPatch = { 'content-type': 'application/strategic-merge-patch+json' };

const merge = (path: string, body: JsonValue, manager = 'merger'): Request => ({
  method: 'PATCH',
  path: `${path}${path.includes('?') ? '&' : '?'}fieldManager=${manager}`,
  body,
});
const labelled = (path: string, value: string): readonly Request[] => [
  merge(path, { metadata: { labels: { a: value } } }),
  merge(path, { metadata: { labels: { b: value } } }, 'strategic-merger'),
  { ...merge(path, { metadata: { labels: { c: value } } }, 'strategist'), headers: strategicPatch },
  {
    ...merge(path, [{ op: 'add', path: '/metadata/annotations', value: { d: value } }], 'jsonist'),
    headers: jsonPatch,
  },
  { method: 'GET', path },
];

/** Who owns the limits of a LimitRange after others wrote its labels. */
function limitRanges(run: string): readonly Request[] {
  // Those of others would set the limits of every pod.
  const path = `/api/v1/namespaces/${run}/limitranges`;
  const range = (name: string, limits: JsonValue): JsonObject => ({
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: `${run}-${name}` },
    spec: { limits },
  });
  const container = {
    type: 'Container',
    max: { cpu: '2', memory: '1Gi' },
    min: { cpu: '100m' },
    default: { cpu: '1' },
  };
  const bodies: readonly (readonly [string, JsonValue])[] = [
    [
      'whole',
      [
        {
          type: 'Container',
          max: { cpu: '2' },
          min: { cpu: '100m' },
          default: { cpu: '1' },
          defaultRequest: { cpu: '500m' },
        },
      ],
    ],
    ['filled', [container]],
    ['pod', [{ type: 'Pod', max: { cpu: '2' } }]],
    ['bare', [{ type: 'Container' }]],
    ['empty', [{ type: 'Container', default: {}, defaultRequest: {}, max: {} }]],
    [
      'many',
      [container, { type: 'Pod', max: { cpu: '4' } }, { type: 'PersistentVolumeClaim', min: { storage: '1Gi' } }],
    ],
  ];
  return [
    { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: run } } },
    ...bodies.flatMap(([name, limits]): Request[] => {
      const at = `${path}/${run}-${name}`;
      return [
        apply(at, 'applier', range(name, limits)),
        apply(at, 'other', range(name, limits), '&force=true'),
        ...labelled(at, 'x'),
        apply(at, 'applier', range(name, limits)),
        apply(at, 'third', {
          apiVersion: 'v1',
          kind: 'LimitRange',
          metadata: { name: `${run}-${name}`, labels: { e: 'f' } },
        }),
        { method: 'GET', path: at },
        { method: 'PUT', path: at, body: range(name, limits) },
        { method: 'POST', path, body: range(`${name}-made`, limits) },
        ...labelled(`${path}/${run}-${name}-made`, 'y'),
        apply(`${path}/${run}-${name}-made`, 'applier', range(`${name}-made`, limits)),
      ];
    }),
  ];
}

function metadataOf(answer: Exchange | undefined): JsonObject {
  const { metadata } = (answer?.body ?? {}) as JsonObject;
  return metadata as JsonObject;
}

/** Generations and owners of webhook configurations, where only a label was written. */
function webhooks(run: string): readonly Request[] {
  const whole: JsonObject = {
    name: 'a.example.com',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    failurePolicy: 'Ignore',
    timeoutSeconds: 5,
    matchConditions: [{ name: 'a', expression: 'true' }],
    clientConfig: { service: { name: 'a', namespace: 'default', path: '/x' }, caBundle: 'Cg==' },
    rules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['odds'] }],
    namespaceSelector: { matchLabels: { a: 'b' } },
    objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
  };
  const bare: JsonObject = {
    name: 'a.example.com',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { url: 'https://a.example.com' },
  };
  const bodies: readonly (readonly [string, JsonObject])[] = [
    ['whole', whole],
    ['bare', bare],
    ['lists', { ...bare, rules: [], matchConditions: [] }],
    ['nulls', { ...bare, rules: null, matchConditions: null }],
    [
      'selectors',
      {
        ...bare,
        namespaceSelector: { matchLabels: {}, matchExpressions: [] },
        objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists', values: [] }] },
      },
    ],
    ['no bytes', { ...bare, clientConfig: { url: 'https://a.example.com', caBundle: '' } }],
    ['no numbers', { ...bare, clientConfig: { url: 'https://a.example.com', caBundle: [] } }],
    ['null', { ...bare, clientConfig: { url: 'https://a.example.com', caBundle: null } }],
    [
      'service',
      {
        ...bare,
        clientConfig: { service: { name: 'a', namespace: 'b' } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['odds'], scope: 'Namespaced' }],
      },
    ],
  ];
  return ['Validating', 'Mutating'].flatMap((way) => {
    const path = `/apis/admissionregistration.k8s.io/v1/${way.toLowerCase()}webhookconfigurations`;
    const kind = `${way}WebhookConfiguration`;
    return bodies.flatMap(([name, webhook]): Request[] => {
      const body = (webhooks: JsonValue): JsonObject => ({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind,
        metadata: { name: `${run}-${name.replace(' ', '-')}` },
        webhooks,
      });
      const at = `${path}/${run}-${name.replace(' ', '-')}`;
      const puts = (answers: readonly Exchange[]): JsonObject => ({
        ...body([webhook]),
        metadata: metadataOf(answers.at(-1)),
      });
      return [
        { method: 'POST', path, body: body([webhook]) },
        { method: 'PUT', path: at, body: puts },
        ...labelled(at, 'x'),
        { method: 'PUT', path: at, body: puts },
        { method: 'PUT', path: at, body: puts },
        { method: 'PUT', path: at, body: body([webhook]) },
        apply(at, 'applier', body([webhook]), '&force=true'),
        ...labelled(at, 'y'),
        merge(at, { webhooks: [] }),
        ...labelled(at, 'z'),
        merge(at, { webhooks: null }),
        ...labelled(at, 'v'),
        { method: 'DELETE', path: at },
      ];
    });
  });
}

/** The same of other kinds that count what was asked for. */
function generations(run: string): readonly Request[] {
  const template = {
    metadata: { labels: { a: 'b' } },
    spec: {
      containers: [{ name: 'c', image: 'i', ports: [], env: [], command: [], resources: { limits: {} } }],
      volumes: [],
      nodeSelector: {},
      tolerations: [],
    },
  };
  const selector = { matchLabels: { a: 'b' }, matchExpressions: [] };
  const kinds: readonly (readonly [string, string, string, JsonObject])[] = [
    ['/apis/apps/v1', 'deployments', 'Deployment', { selector, template }],
    ['/apis/apps/v1', 'daemonsets', 'DaemonSet', { selector, template }],
    ['/apis/apps/v1', 'statefulsets', 'StatefulSet', { selector, template, serviceName: '', volumeClaimTemplates: [] }],
    ['/apis/apps/v1', 'replicasets', 'ReplicaSet', { selector, template }],
    ['/api/v1', 'replicationcontrollers', 'ReplicationController', { selector: { a: 'b' }, template }],
    [
      '/apis/networking.k8s.io/v1',
      'networkpolicies',
      'NetworkPolicy',
      {
        podSelector: { matchLabels: {}, matchExpressions: [] },
        ingress: [],
        egress: [{ to: [], ports: [] }],
        policyTypes: [],
      },
    ],
    [
      '/apis/networking.k8s.io/v1',
      'ingresses',
      'Ingress',
      { rules: [], tls: [{ hosts: [] }], defaultBackend: { service: { name: 'a', port: { number: 1 } } } },
    ],
    [
      '/apis/policy/v1',
      'poddisruptionbudgets',
      'PodDisruptionBudget',
      { selector: { matchLabels: {}, matchExpressions: [] }, minAvailable: 1 },
    ],
    [
      '/apis/batch/v1',
      'cronjobs',
      'CronJob',
      {
        schedule: '* * * * *',
        jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
      },
    ],
    ['/api/v1', 'podtemplates', 'PodTemplate', {}],
  ];
  return kinds.flatMap(([root, resource, kind, spec]): Request[] => {
    const path = `${root}/${namespace}/${resource}`;
    const body = {
      apiVersion: root.replace(/^\/apis?\//, ''),
      kind,
      metadata: { name: run, labels: {} },
      ...(kind === 'PodTemplate' ? { template } : { spec }),
    };
    return [
      { method: 'POST', path, body },
      ...labelled(`${path}/${run}`, 'x'),
      { method: 'PUT', path: `${path}/${run}`, body },
      ...labelled(`${path}/${run}`, 'y'),
    ];
  });
}

/** Keys of lists that are numbers, in managed fields that went through a Scale. */
function numberKeys(run: string): readonly Request[] {
  const ports = [
    { containerPort: 8080 },
    { containerPort: 443, protocol: 'TCP' },
    { containerPort: 1000 },
    { containerPort: 9 },
    { containerPort: 53, protocol: 'UDP' },
    { containerPort: 100 },
  ];
  return ['deployments Deployment', 'statefulsets StatefulSet', 'replicasets ReplicaSet'].flatMap((line): Request[] => {
    const [resource = '', kind = ''] = line.split(' ');
    const at = `/apis/apps/v1/${namespace}/${resource}/${run}`;
    const body = {
      apiVersion: 'apps/v1',
      kind,
      metadata: { name: run },
      spec: {
        replicas: 1,
        selector: { matchLabels: { a: 'b' } },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: {
            containers: [
              { name: 'c', image: 'i', ports },
              { name: 'b', image: 'i', ports },
            ],
          },
        },
      },
    };
    return [
      apply(at, 'applier', body),
      merge(`${at}/scale`, { spec: { replicas: 2 } }, 'scaler'),
      { method: 'GET', path: at },
      apply(
        `${at}/scale`,
        'scales',
        { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: run }, spec: { replicas: 3 } },
        '&force=true',
      ),
      { method: 'GET', path: at },
      {
        method: 'PUT',
        path: `${at}/scale?fieldManager=putter`,
        body: {
          apiVersion: 'autoscaling/v1',
          kind: 'Scale',
          metadata: { name: run, namespace: 'default' },
          spec: { replicas: 4 },
        },
      },
      { method: 'GET', path: at },
      merge(at, { spec: { template: { spec: { terminationGracePeriodSeconds: 5 } } } }),
      { method: 'GET', path: at },
    ];
  });
}

/** Who owns what, and what counts as a change, where something else was written. */
export const ownedChangeSeries: readonly Series[] = [
  { name: 'owned changes: labels of LimitRanges', requests: limitRanges },
  { name: 'owned changes: labels of webhook configurations', requests: webhooks },
  { name: 'owned changes: labels of what counts its generations', requests: generations },
  { name: 'owned changes: number keys after a scale', requests: numberKeys },
];
