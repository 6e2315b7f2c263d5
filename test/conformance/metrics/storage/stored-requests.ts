import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { CountedRequest } from '#test/conformance/metrics/requests.ts';

const services = '/api/v1/namespaces/counted/services';
const maps = '/api/v1/namespaces/counted/configmaps';
const things = '/apis/counted.example.com/v1/namespaces/counted/things';
const merge = 'application/merge-patch+json';

function service(name: string, spec: JsonObject): CountedRequest {
  const ports = [{ port: 80 }];
  const body = { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports, ...spec } };
  return { method: 'POST', path: services, body };
}

function objectsAt(path: string, apiVersion: string, kind: string): readonly CountedRequest[] {
  const named = (name: string): JsonObject => ({ apiVersion, kind, metadata: { name, labels: { name } } });
  return [
    { method: 'POST', path, body: named('s1') },
    { method: 'POST', path, body: named('s2') },
    { method: 'POST', path, body: named('s3') },
    { method: 'POST', path, body: named('s1') },
    { method: 'POST', path: `${path}?dryRun=All`, body: named('s4') },
    { path: `${path}/s1` },
    { path: `${path}/s1?resourceVersion=0` },
    { path: `${path}/none` },
    { path },
    { path: `${path}?resourceVersion=0` },
    { path: `${path}?limit=2` },
    { path: `${path}?labelSelector=name=s1` },
    { path: `${path}?fieldSelector=metadata.name=s1` },
    { path: `${path}?watch=1&timeoutSeconds=1` },
    { path: `${path}?watch=1&timeoutSeconds=1&resourceVersion=0` },
    {
      path: `${path}?watch=1&timeoutSeconds=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`,
    },
    { method: 'PUT', path: `${path}/s1`, body: named('s1') },
    { method: 'PATCH', path: `${path}/s1`, type: merge, body: { metadata: { labels: { a: 'b' } } } },
    { method: 'PATCH', path: `${path}/s1`, type: merge, body: { metadata: { labels: { a: 'b' } } } },
    { method: 'DELETE', path: `${path}/s1` },
    { method: 'DELETE', path: `${path}/s1` },
    { method: 'DELETE', path },
  ];
}

/** What is counted in the families of storage, by part. */
export const storedRequests: Readonly<Record<string, readonly CountedRequest[]>> = {
  configmaps: objectsAt(maps, 'v1', 'ConfigMap'),
  things: objectsAt(things, 'counted.example.com/v1', 'Thing'),
  services: [
    service('dynamic', {}),
    service('static', { clusterIP: '10.0.0.77' }),
    service('taken', { clusterIP: '10.0.0.77' }),
    service('outside', { clusterIP: '10.9.0.1' }),
    service('headless', { clusterIP: 'None' }),
    service('port', { type: 'NodePort' }),
    service('static-port', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_077 }] }),
    service('taken-port', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_077 }] }),
    service('outside-port', { type: 'NodePort', ports: [{ port: 80, nodePort: 40_000 }] }),
    { ...service('dry', { type: 'NodePort' }), path: `${services}?dryRun=All` },
    { method: 'DELETE', path: `${services}/static` },
    { method: 'DELETE', path: `${services}/port` },
  ],
};
