import { pod } from './pod.ts';
import type { Step } from './step.ts';
import { carolToken } from './tokens.ts';

type Json = Record<string, unknown>;

const scheduler = 'scheduler.alpha.kubernetes.io';
const placement = ['spec.nodeSelector', 'spec.tolerations'];
const hostNetwork = { hostNetwork: true };

function namespace(name: string, annotations: Json = {}, labels: Json = {}): Step[] {
  const path = '/api/v1/namespaces';
  const metadata = { name, annotations, labels };
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
  return [
    { name: `namespace ${name}`, method: 'POST', path, body: { apiVersion: 'v1', kind: 'Namespace', metadata } },
    { name: `account of ${name}`, method: 'POST', path: `${path}/${name}/serviceaccounts`, body: account },
  ];
}

function create(name: string, where: string, body: Json, more: Partial<Step> = {}): Step {
  const path = `/api/v1/namespaces/${where}/pods?dryRun=All`;
  return { name, method: 'POST', path, body, show: placement, settles: true, ...more };
}

const tolerating = (...tolerations: readonly Json[]): Json => ({ tolerations });
const limited = { resources: { limits: { 'example.com/limited': '1' } } };

const nodeSelectors: readonly Step[] = [
  ...namespace('adm-default'),
  create('node selector of the cluster', 'adm-default', pod('a')),
  create('node selector of the pod beside that of the cluster', 'adm-default', pod('a', { nodeSelector: { x: 'y' } })),
  create('node selector against that of the cluster', 'adm-default', pod('a', { nodeSelector: { adm: 'other' } })),
  ...namespace('adm-select', { [`${scheduler}/node-selector`]: 'zone=b, disk = ssd' }),
  create('node selector of the namespace', 'adm-select', pod('a')),
  create('node selector against that of the namespace', 'adm-select', pod('a', { nodeSelector: { zone: 'c' } })),
  ...namespace('adm-allowed'),
  create('node selector that is allowed', 'adm-allowed', pod('a', { nodeSelector: { zone: 'a' } })),
  create('node selector that is not allowed', 'adm-allowed', pod('a', { nodeSelector: { disk: 'ssd' } })),
  ...['no-value', '!=x', 'k=!', 'a=b=c', ''].flatMap((text, index) => [
    ...namespace(`adm-text-${index}`, { [`${scheduler}/node-selector`]: text }),
    create(`node selector ${JSON.stringify(text)} of a namespace`, `adm-text-${index}`, pod('a')),
  ]),
];

const ofNamespace = JSON.stringify([{ key: 'own', operator: 'Equal', value: 'v', effect: 'NoSchedule' }]);
const allowed = JSON.stringify([
  { key: 'own', operator: 'Exists' },
  { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
]);
const tolerations: readonly Step[] = [
  create('tolerations of the cluster', 'adm-default', pod('a')),
  create('toleration for short memory', 'adm-default', pod('a', {}, { resources: { requests: { cpu: '1' } } })),
  ...namespace('adm-tolerate', { [`${scheduler}/defaultTolerations`]: ofNamespace }),
  create('tolerations of the namespace', 'adm-tolerate', pod('a')),
  create(
    'tolerations of the namespace that the pod covers',
    'adm-tolerate',
    pod('a', tolerating({ key: 'own', operator: 'Exists' })),
  ),
  ...namespace('adm-whitelist', {
    [`${scheduler}/defaultTolerations`]: '',
    [`${scheduler}/tolerationsWhitelist`]: allowed,
  }),
  create(
    'tolerations that are allowed',
    'adm-whitelist',
    pod('a', tolerating({ key: 'own', operator: 'Equal', value: 'z', effect: 'NoSchedule' })),
  ),
  create('toleration that is not allowed', 'adm-whitelist', pod('a', tolerating({ key: 'x', operator: 'Exists' }))),
  create(
    'toleration for short memory that is not allowed',
    'adm-whitelist',
    pod('a', {}, { resources: { requests: { cpu: '1' } } }),
  ),
  ...['[', '{}', '[{"key":1}]', '[{"key":"own","operator":"Exists"},null]'].flatMap((text, index) => [
    ...namespace(`adm-list-${index}`, { [`${scheduler}/defaultTolerations`]: text }),
    create(`tolerations ${text} of a namespace`, `adm-list-${index}`, pod('a')),
  ]),
];

const enforced = { 'pod-security.kubernetes.io/enforce': 'baseline' };
const security: readonly Step[] = [
  create('default warning', 'adm-default', pod('a', hostNetwork)),
  ...namespace('adm-exempt', {}, enforced),
  create('exempt namespace', 'adm-exempt', pod('a', hostNetwork)),
  ...namespace('adm-enforced', {}, enforced),
  create('namespace that is not exempt', 'adm-enforced', pod('a', hostNetwork)),
  create('exempt user', 'adm-enforced', pod('a', hostNetwork), { token: carolToken }),
  {
    name: 'exempt runtime class',
    method: 'POST',
    path: '/apis/node.k8s.io/v1/runtimeclasses',
    body: { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: 'adm-exempt' }, handler: 'h' },
  },
  create(
    'pod of an exempt runtime class',
    'adm-enforced',
    pod('a', { ...hostNetwork, runtimeClassName: 'adm-exempt' }),
  ),
  {
    name: 'stricter label of an exempt namespace',
    method: 'PATCH',
    path: '/api/v1/namespaces/adm-exempt',
    body: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } },
    settles: true,
  },
];

const priority = 'adm-limited';
const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' } };
const quotas: readonly Step[] = [
  create('limited resource without a quota', 'adm-default', pod('a', {}, limited)),
  {
    name: 'priority class',
    method: 'POST',
    path: '/apis/scheduling.k8s.io/v1/priorityclasses',
    body: { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: priority }, value: 1 },
  },
  create('limited scope without a quota', 'adm-default', pod('a', { priorityClassName: priority })),
  ...namespace('adm-covered'),
  {
    name: 'quota that covers both',
    method: 'POST',
    path: '/api/v1/namespaces/adm-covered/resourcequotas',
    body: {
      ...quota,
      spec: {
        hard: { 'requests.example.com/limited': '1', pods: '5' },
        scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists' }] },
      },
    },
  },
  {
    name: 'usage of the quota',
    method: 'PATCH',
    path: '/api/v1/namespaces/adm-covered/resourcequotas/q/status',
    body: {
      status: {
        hard: { 'requests.example.com/limited': '1', pods: '5' },
        used: { 'requests.example.com/limited': '0', pods: '0' },
      },
    },
  },
  create(
    'limited resource and scope that a quota covers',
    'adm-covered',
    pod('a', { priorityClassName: priority }, limited),
  ),
  create('limited resource that no quota covers', 'adm-covered', pod('a', {}, limited)),
];

/** Plugins by the configuration file and by annotations of namespaces. */
export const configuredSteps: readonly Step[] = [...nodeSelectors, ...tolerations, ...security, ...quotas];
