import type { JsonObject } from '#shared/apimachinery/json/json.ts';

/** A request of an administrator, or of nobody. */
export interface CountedRequest {
  readonly method?: string;
  readonly path: string;
  readonly type?: string;
  readonly accept?: string;
  readonly body?: JsonObject | string;
  /** Whether the length of the body is not told before. */
  readonly isChunked?: boolean;
  readonly isAnonymous?: boolean;
  readonly as?: string;
}

const maps = '/api/v1/namespaces/counted/configmaps';
const deployments = '/apis/apps/v1/namespaces/counted/deployments';
const things = '/apis/counted.example.com/v1/namespaces/counted/things';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const apply = 'application/apply-patch+yaml';
const merge = 'application/merge-patch+json';
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

const configMap = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const thing = (name: string): JsonObject => ({
  apiVersion: 'counted.example.com/v1',
  kind: 'Thing',
  metadata: { name },
  spec: {},
});
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'a', image: 'a' }], automountServiceAccountToken: false },
};

/** Before the counts are compared. */
export const preparation: readonly CountedRequest[] = [
  {
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'counted' } },
  },
  {
    method: 'POST',
    path: '/api/v1/namespaces/counted/serviceaccounts',
    body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
  },
  {
    method: 'POST',
    path: definitions,
    body: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.counted.example.com' },
      spec: {
        group: 'counted.example.com',
        scope: 'Namespaced',
        names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            subresources: { status: {} },
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    },
  },
];

const builtIn: readonly CountedRequest[] = [
  { path: maps },
  { path: '/api/v1/configmaps' },
  { path: `${maps}?fieldSelector=metadata.name=a` },
  { path: `${maps}?watch=1&timeoutSeconds=1` },
  { path: '/api/v1/watch/namespaces/counted/configmaps?timeoutSeconds=1' },
  {
    path: `${maps}?watch=1&timeoutSeconds=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`,
  },
  { path: `${maps}?watch=false` },
  { path: `${maps}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=a` },
  { method: 'POST', path: maps, body: configMap('a') },
  { method: 'POST', path: maps, body: configMap('a') },
  { method: 'POST', path: `${maps}?dryRun=All`, body: configMap('b') },
  { method: 'POST', path: `${maps}?dryRun=All&dryRun=All`, body: configMap('b') },
  { method: 'POST', path: `${maps}?dryRun=Some`, body: configMap('b') },
  { method: 'POST', path: `${maps}?fieldValidation=Strict`, body: { ...configMap('c'), unknown: 1 } },
  { method: 'POST', path: maps, body: '{' },
  { path: `${maps}/a` },
  { path: `${maps}/a?watch=true` },
  { path: `${maps}/none` },
  { method: 'HEAD', path: `${maps}/a` },
  { method: 'PUT', path: `${maps}/a`, body: configMap('a') },
  { method: 'PATCH', path: `${maps}/a`, type: merge, body: { data: { a: 'b' } } },
  { method: 'PATCH', path: `${maps}/applied?fieldManager=counted`, type: apply, body: configMap('applied') },
  { method: 'PATCH', path: `${maps}/a`, type: 'text/plain', body: 'a' },
  { method: 'DELETE', path: `${maps}/a` },
  { method: 'DELETE', path: `${maps}/a` },
  { method: 'DELETE', path: maps },
  { path: maps, accept: 'text/html' },
  { method: 'POST', path: `${maps}/a`, body: configMap('a') },
  { path: deployments },
  { path: '/apis/apps/v1/deployments?limit=1' },
  { path: `${deployments}/none/scale` },
  { path: `${deployments}/none/nothing` },
  { path: '/apis/apps/v1/namespaces/counted/nothings' },
  { path: '/apis/apps/v9/namespaces/counted/deployments' },
  { method: 'POST', path: '/api/v1/namespaces/counted/pods', body: pod },
  { path: '/api/v1/namespaces/counted/pods/a/log' },
  { path: '/api/v1/namespaces/counted/pods/a/exec' },
  { path: '/api/v1/namespaces/counted/pods/none/log' },
  { method: 'POST', path: '/api/v1/namespaces/counted/pods/a/binding', body: { kind: 'Binding', apiVersion: 'v1' } },
  {
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
    body: { kind: 'SelfSubjectRulesReview', apiVersion: 'authorization.k8s.io/v1', spec: { namespace: 'a' } },
  },
  { path: '/api/v1/componentstatuses/none' },
  { path: maps, isAnonymous: true },
  { path: maps, as: 'nobody-in-particular' },
];

const custom: readonly CountedRequest[] = [
  { path: things },
  { path: '/apis/counted.example.com/v1/things' },
  { path: `${things}?fieldSelector=metadata.name=a` },
  { path: `${things}?watch=1&timeoutSeconds=1` },
  { method: 'POST', path: things, body: thing('a') },
  { path: `${things}/a` },
  { method: 'HEAD', path: `${things}/a` },
  { path: `${things}/a/status` },
  { path: `${things}/a/scale` },
  { method: 'POST', path: `${things}/a`, body: thing('a') },
  { method: 'PATCH', path: `${things}/b?fieldManager=counted`, type: apply, body: thing('b') },
  { method: 'PATCH', path: `${things}/a`, type: 'text/plain', body: 'a' },
  { method: 'DELETE', path: `${things}/a` },
  { method: 'DELETE', path: things },
  { path: '/apis/counted.example.com/v1/none' },
  { path: `${definitions}/things.counted.example.com` },
  { path: `${definitions}?limit=1` },
];

const paths: readonly CountedRequest[] = [
  { path: '/version' },
  { path: '/api' },
  { path: '/apis' },
  { path: '/apis', accept: aggregated },
  { path: '/api', accept: aggregated },
  { path: '/apis/apps' },
  { path: '/apis/apps/v1' },
  { path: '/healthz' },
  { path: '/healthz/ping' },
  { path: '/livez' },
  { method: 'POST', path: '/livez' },
  { path: '/readyz?verbose' },
  { path: '/openapi/v2' },
  { path: '/openapi/v3' },
  { path: '/openapi/v3/apis/apps/v1' },
  { path: '/statusz' },
  { path: '/flagz' },
  { path: '/statusz', accept: 'application/json;g=config.k8s.io;v=v1beta1;as=Statusz' },
  { path: '/nothing' },
  { path: '/apis/apiregistration.k8s.io/v1/apiservices/none' },
  { path: '/apis/apiregistration.k8s.io/v1/apiservices?limit=1' },
  { path: '/apis/apiregistration.k8s.io/v1/nothings' },
];

export const countedRequests: readonly CountedRequest[] = [...builtIn, ...custom, ...paths];
