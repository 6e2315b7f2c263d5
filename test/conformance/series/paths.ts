import type { JsonValue } from '../../../shared/apimachinery/json.ts';
import type { Request, Series } from './series.ts';

const get = (path: string): Request => ({ method: 'GET', path });
const post = (path: string, body: JsonValue): Request => ({ method: 'POST', path, body });
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
const maps = '/api/v1/namespaces/default/configmaps';

/** Paths and queries that are almost right. */
export const pathSeries: readonly Series[] = [
  {
    name: 'paths: steps that are missing, doubled or dots',
    requests: () =>
      [
        '//api/v1',
        '//api/v1/pods',
        '/api//v1/namespaces',
        '/api/v1//namespaces',
        '/api/v1/namespaces//pods',
        '/apis//apps/v1',
        '/apis/apps//v1',
        '/apis/apps/v1//deployments',
        '/apis/apps/',
        '/apis/apps/v1/',
        `${maps}/`,
        `${maps}//a`,
        `${maps}/a//status`,
        '/api/v1/../v1/pods',
        '/api/./v1',
        '/api/v1/namespaces/../pods',
        '/api/v1/namespaces/%2e%2e/pods',
        '/api/v1/namespaces/%2e/services?watch=1',
        '/api/v1/namespaces/%2e%2e/pods?fieldSelector=metadata.name%3Dx',
        `${maps}/..`,
        `${maps}/%2e%2e`,
        '/api/v1/namespaces%2Fdefault',
        '/api%2Fv1',
        `${maps}/a%2Fb`,
        '/api/v1;x',
        `${maps}/a;b`,
        '/version/x',
        '/openid/v1/jwks/x',
        '/.well-known/openid-configuration/x',
        '/debug/pprof',
        '/debug/pprof/nope',
        `/${'a'.repeat(8000)}`,
        '/api/v2',
        '/api/V1',
        '/api/v1/Pods',
      ].map(get),
  },
  {
    name: 'paths: collections of no namespace are deleted in none',
    requests: (run) => [
      post(maps, { metadata: { name: run } }),
      { method: 'DELETE', path: '/api/v1/namespaces//configmaps?dryRun=All' },
      { method: 'DELETE', path: `/api/v1/namespaces//configmaps?fieldSelector=metadata.name%3D${run}` },
      { method: 'DELETE', path: `/api/v1/namespaces//configmaps?fieldSelector=metadata.name%3Dno-${run}` },
      get(`${maps}/${run}`),
      { method: 'DELETE', path: `${maps}?fieldSelector=metadata.name%3D${run}` },
      get(`${maps}/${run}`),
    ],
  },
  {
    name: 'paths: queries that cannot be read whole',
    requests: () =>
      [
        'limit=%zz',
        'limit=1;continue=x',
        'a=b;c',
        '%',
        'limit=0&limit=x',
        'limit=x',
        'limit',
        'labelSelector=no&labelSelector=b',
        'labelSelector=%00',
        'timeout=x',
        '=&==',
        'continue=x',
        'allowWatchBookmarks=x',
      ].map((query) => get(`${maps}?${query}`)),
  },
  {
    name: 'paths: resources that are only created',
    requests: (run) => [
      ...[
        '/api/v1/namespaces/default/bindings',
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        '/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews',
      ].flatMap((path): readonly Request[] => [
        get(path),
        get(`${path}?watch=1`),
        get(`${path}/a`),
        get(`${path}/a/status`),
        { method: 'PUT', path: `${path}/a`, body: {} },
        { method: 'DELETE', path: `${path}/a` },
        { method: 'DELETE', path },
        post(`${path}/a`, {}),
        { method: 'PATCH', path: `${path}/a`, headers: { 'content-type': 'application/merge-patch+json' }, body: {} },
      ]),
      get('/api/v1/bindings'),
      post('/api/v1/bindings', {}),
      get('/api/v1/watch/bindings'),
      get('/api/v1/watch/namespaces/default/bindings'),
      get('/apis/authorization.k8s.io/v1/localsubjectaccessreviews'),
      get('/api/v1/namespaces//bindings'),
      post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } }),
      post('/api/v1/namespaces/default/pods', {
        metadata: { name: run },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      }),
      post('/api/v1/namespaces/default/bindings', { metadata: { name: run }, target: { name: 'n' } }),
      post('/api/v1/namespaces/default/bindings', { metadata: { name: run }, target: { name: 'n' } }),
      { method: 'DELETE', path: `/api/v1/namespaces/default/pods/${run}`, body: { gracePeriodSeconds: 0 } },
    ],
  },
  {
    name: 'paths: where nothing is created',
    requests: () => [
      post('/api/v1/namespaces//configmaps', configMap),
      post('/api/v1/configmaps', configMap),
      post('//api/v1/namespaces/default/configmaps', configMap),
      post(`${maps}/a`, configMap),
      post('/version', {}),
      post('/openid/v1/jwks', {}),
      post('/.well-known/openid-configuration/', {}),
      post(`${maps}?dryRun=All;x&dryRun=All`, configMap),
      post(`${maps}?dryRun=`, configMap),
      post(`${maps}?dryRun=x`, configMap),
    ],
  },
];
