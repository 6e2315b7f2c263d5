/** A request, by the administrator in the name of a user. */
export interface UserRequest {
  readonly method?: string;
  readonly path: string;
  readonly as?: string;
  readonly groups?: readonly string[];
  readonly body?: object;
}

const leases = '/apis/coordination.k8s.io/v1/namespaces';
const account = (namespace: string, name: string): string => `system:serviceaccount:${namespace}:${name}`;
const accounts = ['system:serviceaccounts', 'system:authenticated'];
const nodes = ['system:nodes', 'system:authenticated'];

const users: readonly Pick<UserRequest, 'as' | 'groups'>[] = [
  {},
  { as: 'alice' },
  { as: 'alice', groups: ['system:authenticated', 'developers'] },
  { as: 'bob', groups: ['system:masters'] },
  { as: 'system:anonymous', groups: ['system:unauthenticated'] },
  { as: 'system:kube-controller-manager' },
  { as: 'system:kube-scheduler' },
  { as: 'system:node:a', groups: nodes },
  { as: account('kube-system', 'generic'), groups: [...accounts, 'system:serviceaccounts:kube-system'] },
  { as: account('default', 'default'), groups: [...accounts, 'system:serviceaccounts:default'] },
  { as: account('flows', 'worker'), groups: [...accounts, 'system:serviceaccounts:flows'] },
];

const targets: readonly Pick<UserRequest, 'method' | 'path' | 'body'>[] = [
  { path: '/api/v1/namespaces/default/configmaps' },
  { path: '/api/v1/namespaces/flows/configmaps/none' },
  { path: '/api/v1/pods?watch=1&resourceVersion=0&timeoutSeconds=1' },
  { path: '/api/v1/nodes/a/status' },
  { path: `${leases}/kube-system/leases/kube-scheduler` },
  { path: `${leases}/kube-node-lease/leases/a` },
  { path: '/api/v1/namespaces/kube-system/endpoints/kube-scheduler' },
  { path: '/healthz' },
  { path: '/readyz/ping' },
  { path: '/version' },
  { path: '/apis/apps/v1' },
  { path: '/api/v1/namespaces/default/pods/none/log' },
  { method: 'POST', path: '/api/v1/namespaces/default/events', body: {} },
  { method: 'DELETE', path: '/apis/apps/v1/namespaces/default/deployments/none' },
];

/** Each user sends each request. */
export const requests: readonly UserRequest[] = users.flatMap((user) =>
  targets.map((target) => ({ ...target, ...user })),
);
