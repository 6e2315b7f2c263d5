import { pod } from './pod.ts';
import { nodeRequest } from './signing-requests.ts';
import type { Step } from './step.ts';
import { nodeToken } from './tokens.ts';

const node = (name: string, metadata: Record<string, unknown> = {}, spec: Record<string, unknown> = {}): unknown => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, ...metadata },
  spec,
});
const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } };
const pods = '/api/v1/namespaces/adm-node/pods';
const lease = (name: string): unknown => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name },
  spec: { holderIdentity: 'n1' },
});

/** A request of the kubelet of node n1. */
function ask(name: string, method: Step['method'], path: string, body?: unknown): Step {
  return { name: `node: ${name}`, method, path, token: nodeToken, ...(body === undefined ? {} : { body }) };
}

/** What a kubelet may and may not. */
export const nodeSteps: readonly Step[] = [
  {
    name: 'namespace of nodes',
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'adm-node' } },
  },
  {
    name: 'account of nodes',
    method: 'POST',
    path: '/api/v1/namespaces/adm-node/serviceaccounts',
    body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
  },
  ask('makes another node', 'POST', '/api/v1/nodes', node('n2')),
  ask(
    'sets labels that it may not',
    'POST',
    '/api/v1/nodes',
    node('n1', {
      labels: {
        'node-restriction.kubernetes.io/a': 'b',
        'x.k8s.io/y': 'z',
        'kubernetes.io/os': 'linux',
        'a.node.kubernetes.io/b': 'c',
      },
    }),
  ),
  ask('makes itself', 'POST', '/api/v1/nodes', node('n1', { labels: { 'kubernetes.io/os': 'linux', own: 'x' } })),
  ask('changes taints', 'PATCH', '/api/v1/nodes/n1', { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } }),
  ask('changes a label', 'PATCH', '/api/v1/nodes/n1', { metadata: { labels: { 'other.kubernetes.io/x': 'y' } } }),
  ask('takes an owner', 'PATCH', '/api/v1/nodes/n1', {
    metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }] },
  }),
  ask('changes its own label', 'PATCH', '/api/v1/nodes/n1', { metadata: { labels: { own: 'y' } } }),
  ask('makes a plain pod', 'POST', pods, pod('p')),
  ask('makes a pod elsewhere', 'POST', pods, pod('p', { nodeName: 'n2' }, {}, mirror)),
  ask('makes a pod without owner', 'POST', pods, pod('p', { nodeName: 'n1' }, {}, mirror)),
  ask(
    'makes a pod of another',
    'POST',
    pods,
    pod(
      'p',
      { nodeName: 'n1' },
      {},
      { ...mirror, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n2', uid: 'u', controller: true }] },
    ),
  ),
  ask(
    'makes a pod that it does not control',
    'POST',
    pods,
    pod(
      'p',
      { nodeName: 'n1' },
      {},
      { ...mirror, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'u' }] },
    ),
  ),
  { name: 'pod elsewhere', method: 'POST', path: pods, body: pod('there', { nodeName: 'n2' }) },
  { name: 'pod here', method: 'POST', path: pods, body: pod('here', { nodeName: 'n1' }) },
  { ...ask('deletes a pod elsewhere', 'DELETE', `${pods}/there`), settles: true },
  ask('reports on a pod elsewhere', 'PATCH', `${pods}/there/status`, { status: { phase: 'Running' } }),
  ask('evicts a pod elsewhere', 'POST', `${pods}/there/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: 'there' },
  }),
  ask('labels its pod by the status', 'PATCH', `${pods}/here/status`, { metadata: { labels: { a: 'b' } } }),
  {
    ...ask('reports on its pod', 'PATCH', `${pods}/here/status`, { status: { phase: 'Running' } }),
    show: ['status.phase'],
  },
  ask('asks for a token of no pod', 'POST', '/api/v1/namespaces/adm-node/serviceaccounts/default/token', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { audiences: ['a'] },
  }),
  ask('makes a lease elsewhere', 'POST', '/apis/coordination.k8s.io/v1/namespaces/adm-node/leases', lease('n1')),
  ask(
    'makes a lease of another',
    'POST',
    '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
    lease('n2'),
  ),
  ask('makes its lease', 'POST', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases', lease('n1')),
  ask('makes a CSINode of another', 'POST', '/apis/storage.k8s.io/v1/csinodes', {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name: 'n2' },
    spec: { drivers: [] },
  }),
  ask('requests a certificate of another', 'POST', '/apis/certificates.k8s.io/v1/certificatesigningrequests', {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'adm-node' },
    spec: {
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      request: nodeRequest,
      usages: ['client auth', 'digital signature'],
    },
  }),
  ask('deletes another node', 'DELETE', '/api/v1/nodes/n2'),
];
