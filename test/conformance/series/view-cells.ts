import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { get, type Request, type Series } from './series.ts';

const core = '/api/v1/namespaces/default';
const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };

/** What is told of an empty class, and of the columns of views. */
function tables(run: string): readonly Request[] {
  const claim = (name: string, more: JsonObject): JsonObject => ({
    metadata: { name: `${run}-${name}` },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more },
  });
  const volume = (name: string, more: JsonObject): JsonObject => ({
    metadata: { name: `${run}-${name}` },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/x' }, ...more },
  });
  const csi = { hostPath: null, csi: { driver: 'a.b', volumeHandle: 'h' } };
  return [
    ...[
      {},
      { storageClassName: '' },
      { volumeAttributesClassName: '' },
      { volumeAttributesClassName: 'a', storageClassName: 's' },
      { storageClassName: 's', volumeName: 'v' },
      { volumeMode: 'Block' },
    ].flatMap((more, index): Request[] => [
      { method: 'POST', path: `${core}/persistentvolumeclaims`, body: claim(`c${index}`, more) },
      get(`${core}/persistentvolumeclaims/${run}-c${index}`, table),
      get(`${core}/persistentvolumeclaims/${run}-c${index}`),
    ]),
    ...[
      {},
      { storageClassName: '' },
      { ...csi, volumeAttributesClassName: '' },
      { ...csi, volumeAttributesClassName: 'a', storageClassName: 's' },
    ].flatMap((more, index): Request[] => [
      { method: 'POST', path: '/api/v1/persistentvolumes', body: volume(`v${index}`, more) },
      get(`/api/v1/persistentvolumes/${run}-v${index}`, table),
      get(`/api/v1/persistentvolumes/${run}-v${index}`),
      { method: 'DELETE', path: `/api/v1/persistentvolumes/${run}-v${index}` },
    ]),
    {
      method: 'POST',
      path: '/apis/apps/v1/namespaces/default/deployments',
      body: {
        metadata: { name: run },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      },
    },
    get(`/apis/apps/v1/namespaces/default/deployments/${run}/scale`, table),
    {
      method: 'PUT',
      path: `/apis/apps/v1/namespaces/default/deployments/${run}/scale`,
      body: {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: run, namespace: 'default' },
        spec: { replicas: 2 },
      },
      headers: table,
    },
    { method: 'POST', path: `${core}/serviceaccounts/default/token`, body: { spec: {} }, headers: table },
    {
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: { spec: { nonResourceAttributes: { path: '/x', verb: 'get' } } },
      headers: table,
    },
    { method: 'POST', path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', body: {}, headers: table },
    {
      method: 'POST',
      path: `${core}/pods`,
      body: { metadata: { name: run }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      headers: table,
    },
    { method: 'POST', path: `${core}/pods/${run}/eviction`, body: { metadata: { name: run } }, headers: table },
    {
      method: 'POST',
      path: `${core}/pods/${run}/binding`,
      body: { metadata: { name: run }, target: { kind: 'Node', name: 'n' } },
      headers: table,
    },
    { method: 'DELETE', path: `${core}/pods/${run}?gracePeriodSeconds=0`, headers: table },
  ];
}

export const viewCellSeries: readonly Series[] = [{ name: 'details: cells and columns of Tables', requests: tables }];
