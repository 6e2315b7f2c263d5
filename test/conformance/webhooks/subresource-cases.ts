import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { ruleFor, type WebhookCase, type WebhookRequest } from './case.ts';

const namespaced = '/api/v1/namespaces/default';
const coordinates = { apiVersion: 'v1', kind: 'Pod' };

function send(method: string, path: string, body?: unknown, type?: string): WebhookRequest {
  return { method, path, ...(body === undefined ? {} : { body }), ...(type === undefined ? {} : { type }) };
}

function post(path: string, body: unknown = {}): WebhookRequest {
  return send('POST', path, body);
}

function patch(path: string, body: unknown): WebhookRequest {
  return send('PATCH', path, body, 'application/merge-patch+json');
}

const pod = { ...coordinates, metadata: { name: 'sub' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const removePod = send('DELETE', `${namespaced}/pods/sub?gracePeriodSeconds=0`);

/** A case whose validating webhook allows, or denies, what a rule selects, so that its reviews are seen. */
function reviewed(name: string, does: string, rules: readonly JsonObject[], more: Partial<WebhookCase>): WebhookCase {
  return { name, webhooks: [{ does, kind: 'validating', spec: { rules: [...rules] } }], requests: [], ...more };
}

const everyConnection = { ...ruleFor(['pods/*', 'services/*', 'nodes/*']), operations: ['CONNECT'] };
const connections: readonly WebhookRequest[] = [
  post(`${namespaced}/pods/sub/exec?command=a&command=b&container=c&stdin=true&stdout=1&stderr=false&tty=true`),
  send('GET', `${namespaced}/pods/sub/exec?command=a&stdout=true`),
  post(`${namespaced}/pods/sub/attach?container=c&stdin=true&stdout=true`),
  send('GET', `${namespaced}/pods/sub/attach?stdout=true&tty=true`),
  post(`${namespaced}/pods/sub/portforward?ports=80&ports=90`),
  send('GET', `${namespaced}/pods/sub/portforward`),
  send('GET', `${namespaced}/pods/sub:80/proxy/a/b?c=d&path=other`),
  send('PUT', `${namespaced}/pods/https:sub:443/proxy`, { a: 'b' }),
  send('DELETE', `${namespaced}/services/none:80/proxy/x`),
  send('GET', `${namespaced}/services/none/proxy/x/`),
  send('GET', '/api/v1/nodes/none/proxy/healthz'),
  post('/api/v1/nodes/none:10250/proxy/run/a?b=c', { a: 'b' }),
  post(`${namespaced}/pods/missing/exec?command=a`),
];

const connectionCases: readonly WebhookCase[] = [
  ...['allow', 'deny', 'warn'].map((does) =>
    reviewed(`connections, ${does}`, does, [everyConnection], {
      before: [post(`${namespaced}/pods`, pod)],
      requests: [...connections, removePod],
    }),
  ),
  ...['patch-container', 'label', 'patch-none', 'patch-kind', 'patch-unknown-field'].map((does): WebhookCase => ({
    name: `connections that a webhook changes, ${does}`,
    webhooks: [
      { does, kind: 'mutating', spec: { rules: [everyConnection] } },
      { does: 'allow', kind: 'validating', spec: { rules: [everyConnection] } },
    ],
    before: [post(`${namespaced}/pods`, pod)],
    requests: [...connections.slice(0, 7), removePod],
  })),
  reviewed('connections and an object selector', 'deny', [everyConnection], {
    webhooks: [
      {
        does: 'deny',
        spec: {
          rules: [everyConnection],
          objectSelector: { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] },
        },
      },
    ],
    before: [post(`${namespaced}/pods`, pod)],
    requests: [...connections.slice(0, 2), removePod],
  }),
];

const deletes = { ...ruleFor(['configmaps', 'pods', 'namespaces']), operations: ['DELETE'] };

function map(name: string, more: JsonObject = {}): WebhookRequest {
  return post(`${namespaced}/configmaps`, { metadata: { name, labels: { sub: 'yes' }, ...more }, data: { a: 'b' } });
}

const optionBodies: readonly JsonObject[] = [
  { kind: 'DeleteOptions', apiVersion: 'v1' },
  { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 7, propagationPolicy: 'Foreground' },
  { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'other' } },
  { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { resourceVersion: '1' } },
  { orphanDependents: false, dryRun: ['All'] },
  { gracePeriodSeconds: 0, ignoreStoreReadErrorWithClusterBreakingPotential: false },
];
const optionQueries = [
  '',
  '?gracePeriodSeconds=5',
  '?propagationPolicy=Background',
  '?orphanDependents=true',
  '?dryRun=All&gracePeriodSeconds=0',
];

const deletionCases: readonly WebhookCase[] = ['allow', 'deny'].flatMap((does) => [
  reviewed(`deletion of a ConfigMap with options, ${does}`, does, [deletes], {
    requests: [
      ...optionBodies.flatMap((body, at) => [map(`o${at}`), send('DELETE', `${namespaced}/configmaps/o${at}`, body)]),
      ...optionQueries.flatMap((query, at) => [
        map(`q${at}`),
        send('DELETE', `${namespaced}/configmaps/q${at}${query}`),
      ]),
      send('DELETE', `${namespaced}/configmaps/missing`),
    ],
  }),
  reviewed(`deletion of a collection with options, ${does}`, does, [deletes], {
    requests: [
      ...optionBodies.flatMap((body, at) => [
        map(`c${at}`),
        map(`d${at}`),
        send('DELETE', `${namespaced}/configmaps?labelSelector=sub%3Dyes`, body),
      ]),
      send('DELETE', `${namespaced}/configmaps?labelSelector=sub%3Dyes&gracePeriodSeconds=3`),
    ],
  }),
  reviewed(`deletion of a pod with options, ${does}`, does, [deletes], {
    before: [post(`${namespaced}/pods`, pod)],
    requests: [
      send('DELETE', `${namespaced}/pods/sub?dryRun=All`),
      send('DELETE', `${namespaced}/pods/sub`, { gracePeriodSeconds: 9, propagationPolicy: 'Orphan' }),
      send('DELETE', `${namespaced}/pods?labelSelector=a%3Db`),
      removePod,
    ],
  }),
  reviewed(`deletion of what has a finalizer, ${does}`, does, [ruleFor(['configmaps'])], {
    webhooks: [{ does, spec: { rules: [{ ...ruleFor(['configmaps']), operations: ['DELETE', 'UPDATE'] }] } }],
    requests: [
      map('finalized', { finalizers: ['a.b/c'] }),
      send('DELETE', `${namespaced}/configmaps/finalized`),
      patch(`${namespaced}/configmaps/finalized`, { metadata: { finalizers: null } }),
    ],
  }),
]);

const namespaceRequests: readonly WebhookRequest[] = [
  post('/api/v1/namespaces', { metadata: { name: 'sub', labels: { a: 'b' } } }),
  patch('/api/v1/namespaces/sub', { metadata: { labels: { c: 'd' } } }),
  patch('/api/v1/namespaces/sub/status', { status: { phase: 'Active' } }),
  send('PUT', '/api/v1/namespaces/sub/finalize', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'sub' },
    spec: { finalizers: ['kubernetes'] },
  }),
  send('DELETE', '/api/v1/namespaces/sub', { propagationPolicy: 'Background' }),
  send('DELETE', '/api/v1/namespaces/sub'),
  send('PUT', '/api/v1/namespaces/sub/finalize', { metadata: { name: 'sub' }, spec: { finalizers: [] } }),
];

const namespaceCases: readonly WebhookCase[] = [
  reviewed('a namespace, its status and finalize', 'allow', [ruleFor(['namespaces', 'namespaces/*'])], {
    requests: namespaceRequests,
  }),
  reviewed('finalize of a namespace, denied', 'deny', [ruleFor(['namespaces/*'])], { requests: namespaceRequests }),
  reviewed('namespaces by scope', 'allow', [{ ...ruleFor(['namespaces']), scope: 'Cluster' }], {
    requests: [...namespaceRequests.slice(0, 2), ...namespaceRequests.slice(5)],
  }),
  reviewed('namespaces by the other scope', 'deny', [{ ...ruleFor(['*/*']), scope: 'Namespaced' }], {
    requests: [...namespaceRequests.slice(0, 2), ...namespaceRequests.slice(5)],
  }),
];

const signing = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const request =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIb01JR1FBZ0VBTUM0eEZUQVRCZ05WQkFvVERITjVjM1JsYlRwdWIyUmxjekVWTUJNR0ExVUVBeE1NYzNsegpkR1Z0T201dlpHVTZZVEJaTUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSEEwSUFCQUFBQUFBQUFBQUFBQUFBCi0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';

const subresources = ['pods/*', 'nodes/*', 'serviceaccounts/*', 'replicationcontrollers/*', 'services/*'];
const otherCases: readonly WebhookCase[] = ['allow', 'deny'].map((does) =>
  reviewed(
    `subresources of several kinds, ${does}`,
    does,
    [ruleFor(subresources), ruleFor(['*/*'], ['certificates.k8s.io']), ruleFor(['*/*'], ['apps', 'policy'])],
    {
      webhooks: [
        {
          does,
          kind: 'validating',
          spec: {
            rules: [
              { ...ruleFor(subresources), operations: ['*'] },
              ruleFor(['certificatesigningrequests/*'], ['certificates.k8s.io']),
              ruleFor(['replicasets/*', 'statefulsets/*', 'deployments/*'], ['apps']),
            ],
          },
        },
      ],
      before: [
        post(`${namespaced}/pods`, { ...pod, metadata: { name: 'sub', labels: { a: 'b' } } }),
        post(`${namespaced}/serviceaccounts`, { metadata: { name: 'sub' } }),
        post('/api/v1/nodes', { metadata: { name: 'sub' } }),
        post(`${namespaced}/services`, { metadata: { name: 'sub' }, spec: { ports: [{ port: 80 }] } }),
        post(`${namespaced}/replicationcontrollers`, {
          metadata: { name: 'sub' },
          spec: { replicas: 1, selector: { a: 'b' }, template: { metadata: { labels: { a: 'b' } }, spec: pod.spec } },
        }),
        post('/apis/apps/v1/namespaces/default/statefulsets', {
          metadata: { name: 'sub' },
          spec: {
            replicas: 1,
            serviceName: 'sub',
            selector: { matchLabels: { a: 'b' } },
            template: { metadata: { labels: { a: 'b' } }, spec: pod.spec },
          },
        }),
        post(signing, {
          metadata: { name: 'sub' },
          spec: { request, signerName: 'example.com/a', usages: ['client auth'] },
        }),
      ],
      requests: [
        patch(`${namespaced}/pods/sub/status`, { status: { phase: 'Running', message: 'm' } }),
        patch(`${namespaced}/pods/sub/ephemeralcontainers`, {
          spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] },
        }),
        patch(`${namespaced}/pods/sub/resize`, { spec: { containers: [{ name: 'c', image: 'i' }] } }),
        post(`${namespaced}/pods/sub/binding`, { metadata: { name: 'sub' }, target: { kind: 'Node', name: 'sub' } }),
        post(`${namespaced}/bindings`, { metadata: { name: 'sub' }, target: { kind: 'Node', name: 'sub' } }),
        post(`${namespaced}/pods/sub/eviction`, {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: { name: 'sub' },
          deleteOptions: { gracePeriodSeconds: 0, dryRun: ['All'] },
        }),
        post(`${namespaced}/pods/sub/eviction?dryRun=All`, {
          apiVersion: 'policy/v1beta1',
          kind: 'Eviction',
          metadata: { name: 'sub' },
        }),
        post(`${namespaced}/serviceaccounts/sub/token`, {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          spec: { audiences: ['a'], expirationSeconds: 3600 },
        }),
        patch('/api/v1/nodes/sub/status', { status: { capacity: { cpu: '4' } } }),
        patch(`${namespaced}/services/sub/status`, { status: { loadBalancer: {} } }),
        patch(`${namespaced}/replicationcontrollers/sub/scale`, { spec: { replicas: 2 } }),
        patch(`${namespaced}/replicationcontrollers/sub/status`, { status: { replicas: 2 } }),
        patch('/apis/apps/v1/namespaces/default/statefulsets/sub/scale', { spec: { replicas: 2 } }),
        send('PUT', '/apis/apps/v1/namespaces/default/statefulsets/sub/scale', {
          apiVersion: 'autoscaling/v1',
          kind: 'Scale',
          metadata: { name: 'sub', namespace: 'default' },
          spec: { replicas: 3 },
        }),
        send('GET', '/apis/apps/v1/namespaces/default/statefulsets/sub/scale'),
        patch(`${signing}/sub/approval`, {
          status: { conditions: [{ type: 'Approved', status: 'True', reason: 'r', message: 'm' }] },
        }),
        patch(`${signing}/sub/status`, { status: { certificate: '' } }),
        send('DELETE', `${signing}/sub`),
        send('DELETE', '/api/v1/nodes/sub'),
        send('DELETE', `${namespaced}/services/sub`),
        send('DELETE', `${namespaced}/serviceaccounts/sub`),
        send('DELETE', `${namespaced}/replicationcontrollers/sub?propagationPolicy=Background`),
        send('DELETE', '/apis/apps/v1/namespaces/default/statefulsets/sub?propagationPolicy=Background'),
        removePod,
      ],
    },
  ),
);

const dryRunCases: readonly WebhookCase[] = ['Some', 'Unknown', 'Odd', ''].map((sideEffects) => ({
  name: `a configuration with side effects ${sideEffects}`,
  webhooks: [],
  requests: ['validating', 'mutating'].map((kind) =>
    post(`/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations?dryRun=All`, {
      metadata: { name: 'side-effects' },
      webhooks: [
        {
          name: 'a.b.c',
          clientConfig: { url: 'https://a/b' },
          admissionReviewVersions: ['v1'],
          ...(sideEffects === '' ? {} : { sideEffects }),
        },
      ],
    }),
  ),
}));

/** Connections, deletions and subresources: what webhooks are shown of them. */
export const subresourceCases: readonly WebhookCase[] = [
  ...connectionCases,
  ...deletionCases,
  ...namespaceCases,
  ...otherCases,
  ...dryRunCases,
];
