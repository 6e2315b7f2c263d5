import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Exchange } from '#test/compare/exchange.ts';
import { apply, type Request, type Series } from './series.ts';

const dryRun = '?dryRun=All';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const sets = '/apis/apps/v1/namespaces/default/replicasets';
const controllers = '/api/v1/namespaces/default/replicationcontrollers';
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const namespaces = '/api/v1/namespaces';

/** An answer of before, changed. */
const changed =
  (index: number, change: (object: JsonObject) => JsonObject) =>
  (answers: readonly Exchange[]): JsonObject =>
    change((answers[index]?.body ?? {}) as JsonObject);
const withMetadata = (object: JsonObject, metadata: JsonObject): JsonObject => ({
  ...object,
  metadata: { ...(object['metadata'] as JsonObject | undefined), ...metadata },
});
const patch = (path: string, body: JsonValue, type = 'merge-patch'): Request => ({
  method: 'PATCH',
  path,
  body,
  headers: { 'content-type': `application/${type}+json` },
});

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const metadataChanges: readonly JsonObject[] = [
  { labels: { x: 'y' }, annotations: { x: 'y' }, finalizers: ['example.com/x'] },
  { labels: { '-': 'y' } },
  { uid: 'other' },
  { resourceVersion: '1' },
  { resourceVersion: '' },
  { generation: 9 },
  { name: 'other' },
  { namespace: 'other' },
  { creationTimestamp: '2020-01-02T03:04:05Z' },
  { deletionTimestamp: '2020-01-02T03:04:05Z' },
  { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'y' }] },
  { managedFields: [{}] },
];
const replicas: readonly JsonValue[] = [0, 3, -1, 2_147_483_648, null, '3', 1.5, true];

function scaleRequests(collection: string, kind: string, selector: JsonObject) {
  return (run: string): readonly Request[] => {
    const path = `${collection}/${run}/scale`;
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: run } };
    return [
      {
        method: 'POST',
        path: collection,
        body: {
          apiVersion: collection.startsWith('/apis/apps') ? 'apps/v1' : 'v1',
          kind,
          metadata: { name: run },
          spec: { replicas: 1, selector, template },
        },
      },
      { method: 'GET', path },
      ...metadataChanges.map((metadata): Request => ({
        method: 'PUT',
        path: `${path}${dryRun}`,
        body: changed(1, (object) => withMetadata({ ...object, spec: { replicas: 2 } }, metadata)),
      })),
      ...metadataChanges.map((metadata) => patch(`${path}${dryRun}`, { metadata })),
      ...replicas.map((count) => patch(`${path}${dryRun}`, { spec: { replicas: count } })),
      ...replicas.map((count) =>
        patch(`${path}${dryRun}`, [{ op: 'add', path: '/spec/replicas', value: count }], 'json-patch'),
      ),
      ...replicas.map((count): Request => ({
        method: 'PUT',
        path: `${path}${dryRun}`,
        body: { ...scale, spec: { replicas: count } },
      })),
      ...replicas.map((count) => apply(path, 'm', { ...scale, spec: { replicas: count } }, '&dryRun=All&force=true')),
      { method: 'PUT', path: `${path}${dryRun}`, body: scale },
      { method: 'PUT', path: `${path}${dryRun}`, body: { ...scale, kind: 'Deployment', apiVersion: 'apps/v1' } },
      {
        method: 'PUT',
        path: `${path}${dryRun}&fieldValidation=Strict`,
        body: { ...scale, spec: { replicas: 2, unknown: 1 }, status: { replicas: 7, selector: 'x' } },
      },
      patch(`${path}${dryRun}`, { status: { replicas: 9 }, spec: null }),
      patch(path, { spec: { replicas: 4 } }, 'strategic-merge-patch'),
      { method: 'GET', path: `${collection}/${run}` },
      { method: 'DELETE', path: `${collection}/${run}?propagationPolicy=Background` },
    ];
  };
}

const finalizers: readonly JsonValue[] = [
  ['kubernetes'],
  [],
  ['kubernetes', 'example.com/x'],
  ['orphan', 'foregroundDeletion'],
  ['none'],
  ['-/x'],
  [''],
  null,
  ['example.com/x', 'example.com/x'],
];

function finalizeRequests(run: string): readonly Request[] {
  const path = `${namespaces}/${run}/finalize`;
  return [
    { method: 'POST', path: namespaces, body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: run } } },
    ...finalizers.map((names): Request => ({
      method: 'PUT',
      path: `${path}${dryRun}`,
      body: changed(0, (object) => ({ ...object, spec: { finalizers: names }, status: { phase: 'Terminating' } })),
    })),
    ...metadataChanges.map((metadata): Request => ({
      method: 'PUT',
      path: `${path}${dryRun}`,
      body: changed(0, (object) => withMetadata(object, metadata)),
    })),
    ...metadataChanges.map((metadata): Request => ({
      method: 'PUT',
      path: `${path}${dryRun}`,
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: run, ...metadata } },
    })),
    {
      method: 'PUT',
      path,
      body: changed(0, (object) =>
        withMetadata({ ...object, spec: { finalizers: ['example.com/x', 'kubernetes'] } }, { labels: { x: 'y' } }),
      ),
    },
    { method: 'GET', path },
    patch(path, {}),
    { method: 'PUT', path, body: { metadata: { name: run }, spec: { finalizers: [] } } },
    { method: 'DELETE', path: `${namespaces}/${run}` },
  ];
}

const condition = (type: string, more: JsonObject = {}): JsonObject => ({ type, status: 'True', reason: 'R', ...more });
const conditionLists: readonly (readonly JsonObject[])[] = [
  [],
  [condition('Approved')],
  [condition('Denied')],
  [condition('Failed')],
  [condition('Approved'), condition('Denied')],
  [condition('Approved'), condition('Approved')],
  [condition('Other')],
  [condition('')],
  [condition('Approved', { status: 'False' })],
  [condition('Approved', { status: '' })],
  [condition('Approved', { status: 'x' })],
  [condition('Other', { status: 'Unknown', lastUpdateTime: '2020-01-02T03:04:05Z', lastTransitionTime: null })],
];
const request = `-----BEGIN CERTIFICATE REQUEST-----
MIHTMHwCAQAwGjEKMAgGA1UECgwBeDEMMAoGA1UEAwwDYWJjMFkwEwYHKoZIzj0C
AQYIKoZIzj0DAQcDQgAEehxv6Sb3gdV8p+fsx/hWiez1IN36xce4gQmZa0wC4yRN
/VRGWhDePDh6fZDruAWDGCPDPYAFDcOA5cUbboK3v6AAMAoGCCqGSM49BAMCA0cA
MEQCIGH3j3dKhWyaXyM/wKOhgVZBrcnvgRz0SsxuZdfA3qTQAiAj23FKmT730Wa0
gYj8Qpg/13Tw4op4mkOYTDLySw+VJQ==
-----END CERTIFICATE REQUEST-----
`;

function approvalRequests(run: string): readonly Request[] {
  const path = `${requests}/${run}/approval`;
  const spec = {
    request: Buffer.from(request).toString('base64'),
    signerName: 'example.com/x',
    usages: ['client auth'],
  };
  const put = (conditions: readonly JsonObject[], query: string): Request => ({
    method: 'PUT',
    path: `${path}${query}`,
    body: {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: run },
      spec,
      status: { conditions: [...conditions], certificate: 'eA==' },
    },
  });
  return [
    {
      method: 'POST',
      path: requests,
      body: { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name: run }, spec },
    },
    ...conditionLists.map((conditions) => put(conditions, dryRun)),
    ...conditionLists.map((conditions) => patch(`${path}${dryRun}`, { status: { conditions: [...conditions] } })),
    ...metadataChanges.map((metadata): Request => ({
      method: 'PUT',
      path: `${path}${dryRun}`,
      body: changed(0, (object) => withMetadata(object, metadata)),
    })),
    put([condition('Approved')], ''),
    ...conditionLists.map((conditions) => put(conditions, dryRun)),
    ...conditionLists.map((conditions) =>
      patch(`${path}${dryRun}`, { status: { conditions: [...conditions] } }, 'strategic-merge-patch'),
    ),
    { method: 'DELETE', path: `${requests}/${run}` },
  ];
}

/** Subresources that are windows on their parent: what they write and what they leave alone. */
export const parentViewSeries: readonly Series[] = [
  {
    name: 'views: scale of a Deployment',
    requests: scaleRequests(deployments, 'Deployment', { matchLabels: { a: 'b' } }),
  },
  { name: 'views: scale of a ReplicaSet', requests: scaleRequests(sets, 'ReplicaSet', { matchLabels: { a: 'b' } }) },
  {
    name: 'views: scale of a ReplicationController',
    requests: scaleRequests(controllers, 'ReplicationController', { a: 'b' }),
  },
  { name: 'views: finalizers of a Namespace', requests: finalizeRequests },
  { name: 'views: approval of a CertificateSigningRequest', requests: approvalRequests },
];
