import { adminToken, bobToken } from '#test/tokens.ts';
import type { Question } from './ask.ts';

/** A question, and which of the two servers is asked: the first has no apps/v1, the second no batch/v1. */
export interface PeerQuestion extends Question {
  readonly name: string;
  readonly to: 'first' | 'second';
}

const jobs = '/apis/batch/v1/namespaces/default/jobs';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'one' }, spec: { template } };
const labels = { app: 'a' };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'one' },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};
const roleOfBob = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'jobs' },
  rules: [{ apiGroups: ['batch'], resources: ['jobs'], verbs: ['get', 'list'] }],
};
const bindingOfBob = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'jobs' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }],
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'jobs' },
};

function admin(name: string, to: PeerQuestion['to'], path: string, more: Partial<Question> = {}): PeerQuestion {
  return { name, to, path, token: adminToken, ...more };
}

/** Reads and writes of what only the other server serves. */
export const usual: readonly PeerQuestion[] = [
  admin('create a job', 'second', jobs, { method: 'POST', object: job }),
  admin('create it again', 'second', jobs, { method: 'POST', object: job }),
  admin('create an invalid job', 'second', jobs, { method: 'POST', object: { ...job, spec: {} } }),
  admin('create without a body', 'second', jobs, { method: 'POST' }),
  admin('get', 'second', `${jobs}/one`),
  admin('get what is not there', 'second', `${jobs}/two`),
  admin('get its status', 'second', `${jobs}/one/status`),
  admin('list as a table', 'second', jobs, { headers: { accept: table } }),
  admin('list in a form that nobody has', 'second', jobs, { headers: { accept: 'text/html' } }),
  admin('list with a query', 'second', `${jobs}?labelSelector=a%3Db&limit=1`),
  admin('list with a broken query', 'second', `${jobs}?labelSelector=a%3D%3D%3Db`),
  admin('patch', 'second', `${jobs}/one`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    object: { metadata: { labels } },
  }),
  admin('apply', 'second', `${jobs}/one?fieldManager=m`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/apply-patch+yaml' },
    object: { ...job, metadata: { name: 'one', annotations: { a: 'b' } }, spec: undefined },
  }),
  admin('create a deployment', 'first', deployments, { method: 'POST', object: deployment }),
  admin('get its scale', 'first', `${deployments}/one/scale`),
  admin('list deployments', 'first', deployments),
  admin('another resource of the version', 'second', '/apis/batch/v1/namespaces/default/tasks'),
  admin('a subresource of none', 'second', `${jobs}/one/scale`),
  admin('what both serve', 'second', '/apis/rbac.authorization.k8s.io/v1/clusterroles/view'),
  admin('what none serves', 'first', '/apis/batch/v2alpha1/namespaces/default/jobs'),
  admin('the version itself', 'second', '/apis/batch/v1'),
  admin('the group itself', 'second', '/apis/batch'),
  admin('delete', 'second', `${jobs}/one?propagationPolicy=Background`, { method: 'DELETE' }),
  admin('delete the deployment', 'first', `${deployments}/one?propagationPolicy=Background`, { method: 'DELETE' }),
];

/** Who asks, and what he may; headers that only servers may set. */
export const identities: readonly PeerQuestion[] = [
  { name: 'nobody', to: 'second', path: jobs },
  { name: 'a wrong token', to: 'second', path: jobs, token: 'wrong' },
  { name: 'bob without rights', to: 'second', path: jobs, token: bobToken },
  admin('a role', 'second', '/apis/rbac.authorization.k8s.io/v1/clusterroles', { method: 'POST', object: roleOfBob }),
  admin('its binding', 'second', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    method: 'POST',
    object: bindingOfBob,
  }),
  { name: 'bob with rights', to: 'second', path: jobs, token: bobToken },
  { name: 'bob, what he may not', to: 'second', method: 'DELETE', path: `${jobs}/one`, token: bobToken },
  admin('the administrator as bob', 'second', `${jobs}/one`, {
    method: 'DELETE',
    headers: { 'impersonate-user': 'bob' },
  }),
  ...['x-remote-user', 'x-other-user', 'X-Other-User'].map((header): PeerQuestion => ({
    name: `bob with ${header}`,
    to: 'second',
    method: 'DELETE',
    path: `${jobs}/one`,
    token: bobToken,
    headers: { [header]: 'admin', 'x-remote-group': 'system:masters' },
  })),
  admin('as if it came from a peer', 'second', jobs, { headers: { 'x-kubernetes-peer-proxied': 'true' } }),
  admin('as if it came from no peer', 'second', jobs, { headers: { 'x-kubernetes-peer-proxied': 'false' } }),
];

/** Discovery of one and of all. */
export const documents: readonly PeerQuestion[] = (['first', 'second'] as const).flatMap((to) => [
  admin('of all', to, '/apis', { headers: { accept: aggregated } }),
  admin('of this server', to, '/apis', { headers: { accept: `${aggregated};profile=nopeer` } }),
  admin('of another profile', to, '/apis', { headers: { accept: `${aggregated};profile=other` } }),
  admin('legacy', to, '/apis'),
  admin('of the core group', to, '/api', { headers: { accept: aggregated } }),
  admin('of the core group of this server', to, '/api', { headers: { accept: `${aggregated};profile=nopeer` } }),
]);

/** What only the second serves, where the first emulates the release before. */
export const newer = admin('newer', 'first', '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies');

/** After the first server was killed: what is left of it. */
export const afterDeath: readonly PeerQuestion[] = [
  admin('a job of the dead', 'second', jobs),
  admin('a write to the dead', 'second', jobs, { method: 'POST', object: job }),
  admin('of all, with the dead', 'second', '/apis', { headers: { accept: aggregated } }),
];
