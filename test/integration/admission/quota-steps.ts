import { pod } from './pod.ts';
import type { Step } from './step.ts';

const base = '/api/v1/namespaces/adm-quota';
const hard = {
  pods: '2',
  'requests.cpu': '1',
  'limits.memory': '1Gi',
  configmaps: '3',
  'count/deployments.apps': '1',
  services: '2',
  'services.nodeports': '1',
  'services.loadbalancers': '0',
  persistentvolumeclaims: '1',
  'requests.storage': '5Gi',
  'gold.storageclass.storage.k8s.io/requests.storage': '1Gi',
  'requests.example.com/gpu': '1',
};
const zero = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
const quota = (name: string, spec: unknown): unknown => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name },
  spec,
});
const amounts = (requests: Record<string, string>, limits: Record<string, string> = {}): Record<string, unknown> => ({
  resources: { requests, limits },
});
const service = (name: string, spec: Record<string, unknown>): unknown => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ports: [{ port: 1 }], ...spec },
});
const claim = (name: string, storage: string, spec: Record<string, unknown> = {}): unknown => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec },
});

function post(name: string, path: string, body: unknown, settles = false): Step {
  return { name, method: 'POST', path: base + path, body, settles };
}

function used(name: string, of = 'q'): Step {
  return { name, method: 'GET', path: `${base}/resourcequotas/${of}`, show: ['status.used'] };
}

const limitRange = {
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'l' },
  spec: {
    limits: [
      {
        type: 'Container',
        default: { cpu: '500m' },
        defaultRequest: { cpu: '100m', memory: '64Mi' },
        max: { cpu: '1' },
        min: { cpu: '50m' },
        maxLimitRequestRatio: { cpu: '5' },
      },
      { type: 'Pod', max: { cpu: '1500m' }, min: { memory: '32Mi' }, maxLimitRequestRatio: { memory: '2' } },
      { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '5Gi' } },
    ],
  },
};
const ranged = '/api/v1/namespaces/adm-limits';
const inRange = (name: string, body: unknown, path = 'pods'): Step => ({
  name,
  method: 'POST',
  path: `${ranged}/${path}?dryRun=All`,
  body,
  show: ['spec.containers', 'spec.initContainers', 'metadata.annotations'],
  settles: true,
});

/** Limit ranges and quotas. */
export const quotaSteps: readonly Step[] = [
  {
    name: 'namespace of limits',
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'adm-limits' } },
  },
  {
    name: 'account of limits',
    method: 'POST',
    path: `${ranged}/serviceaccounts`,
    body: {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default' },
      automountServiceAccountToken: false,
    },
  },
  { name: 'limit range', method: 'POST', path: `${ranged}/limitranges`, body: limitRange },
  inRange(
    'defaults',
    pod('a', { initContainers: [{ name: 'i', image: 'i' }] }, amounts({ memory: '64Mi' }, { memory: '64Mi' })),
  ),
  inRange('no limit of memory', pod('a')),
  inRange('too much', pod('a', {}, amounts({}, { cpu: '2', memory: '64Mi' }))),
  inRange('too little', pod('a', {}, amounts({ cpu: '10m' }, { cpu: '1', memory: '64Mi' }))),
  inRange('ratio of the pod', pod('a', {}, amounts({ memory: '32Mi' }, { memory: '128Mi' }))),
  inRange('claim too large', claim('c', '10Gi'), 'persistentvolumeclaims'),
  inRange('claim too small', claim('c', '500Mi'), 'persistentvolumeclaims'),
  inRange('claim fits', claim('c', '2Gi'), 'persistentvolumeclaims'),

  {
    name: 'namespace of quotas',
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'adm-quota' } },
  },
  post('account of quotas', '/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default' },
    automountServiceAccountToken: false,
  }),
  post('quota', '/resourcequotas', quota('q', { hard })),
  { name: 'usage', method: 'PATCH', path: `${base}/resourcequotas/q/status`, body: { status: { hard, used: zero } } },
  post('says nothing', '/pods', pod('a'), true),
  post('too much cpu', '/pods', pod('a', {}, amounts({ cpu: '1500m' }, { memory: '1Mi' }))),
  post('within', '/pods', pod('a', {}, amounts({ cpu: '300m' }, { memory: '1Mi' }))),
  post('cpu and memory together', '/pods', pod('b', {}, amounts({ cpu: '800m' }, { memory: '2Gi' }))),
  post(
    'extended resource',
    '/pods',
    pod('b', {}, amounts({ cpu: '1m', 'example.com/gpu': '2' }, { memory: '1Mi', 'example.com/gpu': '2' })),
  ),
  {
    ...post('dry run', '/pods?dryRun=All', pod('b', {}, amounts({ cpu: '1m' }, { memory: '1Mi' }))),
    show: ['spec.containers'],
  },
  used('pods are counted'),
  post('first', '/configmaps', { metadata: { name: 'a' } }),
  post('second', '/configmaps', { metadata: { name: 'b' } }),
  post('third', '/configmaps', { metadata: { name: 'c' } }),
  post('fourth', '/configmaps', { metadata: { name: 'd' } }),
  post('node port', '/services', service('a', { type: 'NodePort' })),
  post('another node port', '/services', service('b', { type: 'NodePort' })),
  post('load balancer', '/services', service('b', { type: 'LoadBalancer' })),
  {
    name: 'fewer node ports',
    method: 'PATCH',
    path: `${base}/services/a`,
    body: { spec: { type: 'ClusterIP' } },
    show: ['spec.type'],
  },
  post('service', '/services', service('b', {})),
  { name: 'update to a node port', method: 'PATCH', path: `${base}/services/b`, body: { spec: { type: 'NodePort' } } },
  used('services are counted'),
  post('claim of a class', '/persistentvolumeclaims', claim('a', '2Gi', { storageClassName: 'gold' })),
  post('claim', '/persistentvolumeclaims', claim('a', '2Gi')),
  post('second claim', '/persistentvolumeclaims', claim('b', '4Gi')),
  used('claims are counted'),
  post('quota of scopes', '/resourcequotas', quota('s', { hard: { pods: '0' }, scopes: ['Terminating'] })),
  {
    name: 'usage of scopes',
    method: 'PATCH',
    path: `${base}/resourcequotas/s/status`,
    body: { status: { hard: { pods: '0' }, used: { pods: '0' } } },
  },
  post('outside the scope', '/pods?dryRun=All', pod('b', {}, amounts({ cpu: '1m' }, { memory: '1Mi' })), true),
  post(
    'within the scope',
    '/pods?dryRun=All',
    pod('b', { activeDeadlineSeconds: 1 }, amounts({ cpu: '1m' }, { memory: '1Mi' })),
  ),
  post('quota without usage', '/resourcequotas', quota('n', { hard: { secrets: '1' } })),
  {
    name: 'usage that is unknown',
    method: 'PATCH',
    path: `${base}/resourcequotas/n/status`,
    body: { status: { hard: { secrets: '1' } } },
  },
  post('unknown usage', '/secrets', { metadata: { name: 'a' } }, true),
];
