import { mastersRequest } from './signing-requests.ts';
import type { Step } from './step.ts';
import { bobToken } from './tokens.ts';

const base = '/api/v1/namespaces/adm-objects';
const claim = (name: string, spec: Record<string, unknown> = {}): unknown => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const storageClass = (name: string, rest: Record<string, unknown> = {}): unknown => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'p',
  ...rest,
});
const ingress = (metadata: Record<string, unknown>): unknown => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'i', ...metadata },
  spec: { defaultBackend: { service: { name: 's', port: { number: 1 } } } },
});
const classes = '/apis/storage.k8s.io/v1/storageclasses';
const ingressClasses = '/apis/networking.k8s.io/v1/ingressclasses';
const grown = { spec: { resources: { requests: { storage: '2Gi' } } } };
const owner = (blockOwnerDeletion: boolean): unknown[] => [
  { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u', blockOwnerDeletion },
];
const rights = [
  { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'update', 'patch', 'get'] },
  {
    apiGroups: ['certificates.k8s.io'],
    resources: [
      'certificatesigningrequests/approval',
      'certificatesigningrequests/status',
      'certificatesigningrequests',
    ],
    verbs: ['*'],
  },
];

function post(name: string, path: string, body: unknown, ...show: string[]): Step {
  return { name, method: 'POST', path, body, ...(show.length > 0 ? { show } : {}) };
}

/** Volumes, claims, classes, services, certificates, owners and namespaces. */
export const objectSteps: readonly Step[] = [
  post('namespace of objects', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'adm-objects' },
  }),
  post(
    'claim without class',
    `${base}/persistentvolumeclaims?dryRun=All`,
    claim('c'),
    'spec.storageClassName',
    'metadata.finalizers',
  ),
  post('storage class', classes, storageClass('adm-a')),
  post('another default storage class', classes, storageClass('adm-b', { allowVolumeExpansion: true })),
  {
    ...post(
      'default storage class',
      `${base}/persistentvolumeclaims?dryRun=All`,
      claim('c', {}),
      'metadata.finalizers',
    ),
    settles: true,
  },
  post(
    'empty storage class',
    `${base}/persistentvolumeclaims?dryRun=All`,
    claim('c', { storageClassName: '' }),
    'spec.storageClassName',
  ),
  post(
    'volume',
    '/api/v1/persistentvolumes?dryRun=All',
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'adm-v' },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
    },
    'metadata.finalizers',
  ),
  post('claim', `${base}/persistentvolumeclaims`, claim('a', { storageClassName: 'adm-a' })),
  {
    name: 'claim is bound',
    method: 'PATCH',
    path: `${base}/persistentvolumeclaims/a/status`,
    body: { status: { phase: 'Bound' } },
  },
  { name: 'class does not allow to grow', method: 'PATCH', path: `${base}/persistentvolumeclaims/a`, body: grown },
  post(
    'claim that may grow',
    `${base}/persistentvolumeclaims`,
    claim('b', { storageClassName: 'adm-b', volumeName: 'v' }),
  ),
  {
    name: 'that claim is bound',
    method: 'PATCH',
    path: `${base}/persistentvolumeclaims/b/status`,
    body: { status: { phase: 'Bound', capacity: { storage: '1Gi' } } },
  },
  {
    name: 'class allows to grow',
    method: 'PATCH',
    path: `${base}/persistentvolumeclaims/b`,
    body: grown,
    show: ['spec.resources'],
  },
  ...['adm-a', 'adm-b'].map((name): Step => ({
    name: `storage class ${name} gone`,
    method: 'DELETE',
    path: `${classes}/${name}`,
  })),

  post(
    'ingress without class',
    `/apis/networking.k8s.io/v1/namespaces/adm-objects/ingresses?dryRun=All`,
    ingress({}),
    'spec.ingressClassName',
  ),
  post('ingress class', ingressClasses, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name: 'adm-i', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
    spec: { controller: 'a/b' },
  }),
  {
    ...post(
      'default ingress class',
      `/apis/networking.k8s.io/v1/namespaces/adm-objects/ingresses?dryRun=All`,
      ingress({}),
      'spec.ingressClassName',
    ),
    settles: true,
  },
  post(
    'class by annotation',
    `/apis/networking.k8s.io/v1/namespaces/adm-objects/ingresses?dryRun=All`,
    ingress({ annotations: { 'kubernetes.io/ingress.class': 'x' } }),
    'spec.ingressClassName',
  ),
  { name: 'ingress class gone', method: 'DELETE', path: `${ingressClasses}/adm-i` },

  post('external address', `${base}/services`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's' },
    spec: { ports: [{ port: 1 }], externalIPs: ['1.2.3.4'] },
  }),
  post('no external address', `${base}/services`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's' },
    spec: { ports: [{ port: 1 }] },
  }),
  {
    name: 'external address added',
    method: 'PATCH',
    path: `${base}/services/s`,
    body: { spec: { externalIPs: ['1.2.3.4'] } },
  },

  post('role', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'adm-bob' },
    rules: rights,
  }),
  post('binding', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'adm-bob' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'adm-bob' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }],
  }),
  {
    ...post(
      'owner that does not block',
      `${base}/configmaps`,
      { metadata: { name: 'a', ownerReferences: owner(false) } },
      'metadata.ownerReferences',
    ),
    token: bobToken,
    settles: true,
  },
  {
    ...post('owner that blocks', `${base}/configmaps`, { metadata: { name: 'b', ownerReferences: owner(true) } }),
    token: bobToken,
  },
  {
    name: 'owner of what bob may not delete',
    method: 'PATCH',
    path: `${base}/configmaps/a`,
    body: { metadata: { ownerReferences: [] } },
    token: bobToken,
  },
  {
    ...post('owner of an unknown kind', `${base}/configmaps`, {
      metadata: {
        name: 'b',
        ownerReferences: [{ apiVersion: 'x.io/v1', kind: 'X', name: 'o', uid: 'u', blockOwnerDeletion: true }],
      },
    }),
    token: bobToken,
  },
  post('administrator names owners', `${base}/configmaps`, { metadata: { name: 'b', ownerReferences: owner(true) } }),

  post(
    'signing request',
    '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    signingRequest('example.com/x', 'adm-csr'),
  ),
  {
    name: 'approval without right',
    method: 'PUT',
    path: '/apis/certificates.k8s.io/v1/certificatesigningrequests/adm-csr/approval',
    body: {
      ...signingRequest('example.com/x', 'adm-csr'),
      status: { conditions: [{ type: 'Approved', status: 'True', reason: 'r', message: 'm' }] },
    },
    token: bobToken,
  },
  {
    name: 'status without right',
    method: 'PATCH',
    path: '/apis/certificates.k8s.io/v1/certificatesigningrequests/adm-csr/status',
    body: { status: { conditions: [{ type: 'Failed', status: 'True', reason: 'r', message: 'm' }] } },
    token: bobToken,
  },
  post(
    'request of masters',
    '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    signingRequest('kubernetes.io/kube-apiserver-client', 'adm-masters'),
  ),

  post(
    'in a namespace that is not there',
    '/api/v1/namespaces/adm-auto/configmaps',
    { metadata: { name: 'a' } },
    'metadata.namespace',
  ),
  { name: 'namespace was made', method: 'GET', path: '/api/v1/namespaces/adm-auto', show: ['status'] },
  { name: 'delete where nothing is', method: 'DELETE', path: '/api/v1/namespaces/adm-none/configmaps/a' },
];

/** For CN=a, O=system:masters. */
function signingRequest(signerName: string, name: string): Record<string, unknown> {
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: { signerName, request: mastersRequest, usages: ['client auth'] },
  };
}
