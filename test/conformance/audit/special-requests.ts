import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { adminToken, bobToken } from '#test/tokens.ts';

/** A request whose events are compared. */
export interface SpecialRequest {
  readonly method: string;
  readonly path: string;
  /** Sent as it is. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the administrator's; empty for none. */
  readonly token?: string;
  /** Whether the texts of the answers are compared, too. */
  readonly comparesText?: boolean;
  /** Milliseconds after which the client leaves. */
  readonly leavesAfterMs?: number;
}

const json = { 'content-type': 'application/json' };
const ns = '/api/v1/namespaces/special';
const maps = `${ns}/configmaps`;
const asBob = { token: bobToken };

export function make(path: string, object: JsonObject, headers: Readonly<Record<string, string>> = {}): SpecialRequest {
  return { method: 'POST', path, body: JSON.stringify(object), headers: { ...json, ...headers } };
}

export function patch(path: string, type: string, body: string): SpecialRequest {
  return { method: 'PATCH', path, body, headers: { 'content-type': `application/${type}` } };
}

export function get(path: string, headers: Readonly<Record<string, string>> = {}): SpecialRequest {
  return { method: 'GET', path, headers };
}

export function map(name: string, data: JsonObject = { k: '<v> & \u2028' }): JsonObject {
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data };
}

function pod(name: string, more: JsonObject = {}): JsonObject {
  const spec = { serviceAccountName: 'default', containers: [{ name: 'c', image: 'i', ...more }] };
  return { kind: 'Pod', apiVersion: 'v1', metadata: { name }, spec };
}

const preparation: readonly SpecialRequest[] = [
  make('/api/v1/namespaces', { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'special' } }),
  make(`${ns}/serviceaccounts`, { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'default' } }),
];

const identities: readonly SpecialRequest[] = [
  get(maps, { 'impersonate-user': 'bob', 'impersonate-group': 'dev', 'impersonate-extra-a.example%2fb': 'x' }),
  get(maps, { 'impersonate-user': 'jane', 'impersonate-uid': 'u9' }),
  get(maps, { 'impersonate-user': 'system:serviceaccount:special:default' }),
  get(maps, { 'impersonate-user': 'system:node:n1' }),
  get(maps, { 'impersonate-group': 'dev' }),
  { ...get(maps, { 'impersonate-user': 'admin' }), ...asBob },
  { ...get(maps), ...asBob },
  { ...get(maps), token: '' },
  { ...get('/version'), token: '' },
  { ...get(maps), token: 'wrong' },
  { ...get(`${maps}?access_token=wrong`, { authorization: 'Basic YTpi' }), token: '' },
  { ...make(maps, map('of-bob')), ...asBob },
  get(maps, { 'x-forwarded-for': '10.0.0.1, fd00::0:1,nothing', 'x-real-ip': '010.0.0.2' }),
  get(maps, { 'user-agent': 'long '.repeat(300) }),
];

const limits: readonly SpecialRequest[] = [
  get(`${maps}?timeout=bad`),
  get(`${maps}?timeout=5s`),
  get('/version?timeout=bad'),
  get(`${maps}?watch=1&timeoutSeconds=1`),
  get(`/api/v1/watch/namespaces/special/configmaps?timeoutSeconds=1`),
  get(`${maps}?watch=1&resourceVersion=999999999&timeoutSeconds=1`),
  get(`${maps}?watch=1&resourceVersion=bad`),
  get(`${maps}?watch=1&fieldSelector=bad%3D1`),
  { ...get(`${maps}?watch=1`), leavesAfterMs: 300 },
  get('/api/v1/namespaces/special/endpoints'),
  get('/apis/nowhere.example/v1/things'),
  get('/nowhere'),
  get('/healthz'),
  get('/readyz?verbose'),
  get('/apis'),
  get('/apis', { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' }),
  get('/api/v1'),
  get('/apis/apps'),
  get('/apis/apiregistration.k8s.io/v1/apiservices/v1.apps'),
  { method: 'HEAD', path: maps },
  { method: 'OPTIONS', path: maps },
  { method: 'PUT', path: maps, body: '{}', headers: json },
  { method: 'POST', path: maps, body: '{"kind":', headers: json },
  { method: 'POST', path: maps, body: '{}', headers: { 'content-type': 'text/odd' } },
  get(maps, { accept: 'text/odd' }),
  { method: 'GET', path: `${ns}/configmaps/%zz` },
];

const bodies: readonly SpecialRequest[] = [
  make(maps, map('a')),
  make(maps, map('unknown', { k: 'v' }), { accept: 'application/yaml' }),
  make(`${maps}?fieldValidation=Warn`, { ...map('odd'), unknown: 1 }),
  make(`${maps}?dryRun=All`, map('dry')),
  make(maps, { ...map(''), metadata: { generateName: 'gen-' } }),
  {
    method: 'POST',
    path: maps,
    body: 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: yaml}\ndata: {k: v}\n',
    headers: { 'content-type': 'application/yaml', accept: 'application/vnd.kubernetes.protobuf' },
  },
  get(`${maps}/a`),
  get(`${maps}/a`, { accept: 'application/vnd.kubernetes.protobuf' }),
  get(`${maps}/a`, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
  get(`${maps}/a`, { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' }),
  get(`${maps}/a?pretty=true`),
  get(maps, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
  get(maps, { accept: 'application/yaml', 'accept-encoding': 'gzip' }),
  get(`${maps}?limit=1`),
  get(maps, { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' }),
  get(maps, { accept: 'application/vnd.kubernetes.protobuf' }),
  { method: 'PUT', path: `${maps}/a`, body: JSON.stringify(map('a', { k: 'new' })), headers: json },
  { method: 'PUT', path: `${maps}/a`, body: JSON.stringify(map('b')), headers: json },
  patch(`${maps}/a`, 'merge-patch+json', '{ "data" : {"m": "<&>"} }\n'),
  patch(`${maps}/a`, 'json-patch+json', '[ {"op":"add","path":"/data/j","value":"1"} ]'),
  patch(`${maps}/a`, 'strategic-merge-patch+json', '{"data":{"s":null}}'),
  patch(`${maps}/missing`, 'merge-patch+json', '{"data":{"m":"1"}}'),
  patch(`${maps}/applied?fieldManager=me`, 'apply-patch+yaml', JSON.stringify(map('applied', { k: 'v' }))),
  patch(`${maps}/a`, 'odd+json', '{}'),
  { method: 'DELETE', path: `${maps}/a`, body: '{"propagationPolicy":"Background"}', headers: json },
  { method: 'DELETE', path: `${maps}/odd?gracePeriodSeconds=0` },
  {
    method: 'DELETE',
    path: `${maps}?labelSelector=none`,
    body: '{"kind":"DeleteOptions","apiVersion":"v1"}',
    headers: json,
  },
  { method: 'DELETE', path: maps },
];

const deployment = {
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  metadata: { name: 'd' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};
const deployments = '/apis/apps/v1/namespaces/special/deployments';

const subresources: readonly SpecialRequest[] = [
  make(`${ns}/pods`, pod('p')),
  make(`${ns}/pods/p/binding`, {
    kind: 'Binding',
    apiVersion: 'v1',
    metadata: { name: 'p' },
    target: { kind: 'Node', name: 'n1' },
  }),
  make(`${ns}/pods/p/eviction`, { kind: 'Eviction', apiVersion: 'policy/v1', metadata: { name: 'p' } }),
  make(`${ns}/serviceaccounts/default/token`, {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    spec: {},
  }),
  make('/apis/authentication.k8s.io/v1/tokenreviews', {
    kind: 'TokenReview',
    apiVersion: 'authentication.k8s.io/v1',
    spec: { token: adminToken },
  }),
  make('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    kind: 'SelfSubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
  }),
  make(deployments, deployment),
  get(`${deployments}/d/scale`),
  patch(`${deployments}/d/scale`, 'merge-patch+json', '{"spec":{"replicas":2}}'),
  patch(`${deployments}/d/status`, 'merge-patch+json', '{"status":{"observedGeneration":7}}'),
  get(`${ns}/pods/missing/log`),
  get(`${ns}/pods/p/log?container=odd`),
  { method: 'POST', path: `${ns}/pods/missing/exec?command=a&stdout=1` },
  {
    method: 'GET',
    path: `${ns}/pods/missing/exec?command=a&stdout=1`,
    headers: { connection: 'Upgrade', upgrade: 'SPDY/3.1' },
  },
  get(`${ns}/services/missing/proxy/`),
  get('/api/v1/nodes/missing/proxy/healthz'),
  make(`${ns}/pods`, pod('high', { securityContext: { privileged: true } })),
  patch(
    '/api/v1/namespaces/special',
    'merge-patch+json',
    JSON.stringify({
      metadata: {
        labels: { 'pod-security.kubernetes.io/audit': 'restricted', 'pod-security.kubernetes.io/enforce': 'baseline' },
      },
    }),
  ),
  make(`${ns}/pods`, pod('low')),
  make(`${ns}/pods`, pod('privileged', { securityContext: { privileged: true } })),
  { method: 'DELETE', path: `${ns}/pods/low?gracePeriodSeconds=0` },
];

export const specialRequests: ReadonlyMap<string, readonly SpecialRequest[]> = new Map([
  ['preparation', preparation],
  ['identities', identities],
  ['limits', limits],
  ['bodies', bodies],
  ['subresources', subresources],
]);
