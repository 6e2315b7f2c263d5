import { adminToken, bobToken } from '#test/tokens.ts';

/** One request to both servers. */
export interface Asking {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const answers = [
  'allow',
  'deny',
  'both',
  'opinionless',
  'evaluation-error',
  'kindless',
  'statusless',
  'other-version',
  'other-kind',
  'other-group',
  'pod',
  'wrong-type',
  'other-user',
  'unknown-field',
  'created',
  'garbage',
  'text',
  'empty',
  'huge',
  'missing',
  'forbidden',
  'failing',
  'busy',
  'hang',
  'reset',
];

function as(user: string, more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return { 'impersonate-user': user, ...more };
}

/** A request by the administrator as another user, whom the webhook is asked about. */
function byUser(name: string, path: string, user = 'eve', more: Readonly<Record<string, string>> = {}): Asking {
  return { name, path, token: adminToken, headers: as(user, more) };
}

const ofAnswers: readonly Asking[] = answers.flatMap((answer) => [
  { name: `webhook answers: ${answer}`, path: `/api/v1/namespaces/${answer}/configmaps`, token: bobToken },
  byUser(`strict webhook answers: ${answer}`, `/api/v1/namespaces/${answer}/secrets/s`, 'strict'),
  { name: `webhook answers: ${answer}, again`, path: `/api/v1/namespaces/${answer}/configmaps`, token: bobToken },
]);

const long = 'x'.repeat(3_000);
const selectors = [
  'labelSelector=a%3Db,c!%3Dd,e,!f,g%20in%20(z,y),h%20notin%20(x)',
  'labelSelector=g%3E1,a%3D%3Db',
  'labelSelector=a%20in',
  'fieldSelector=metadata.name%3Dx,metadata.namespace!%3Dy',
  'fieldSelector=metadata.name',
  'labelSelector=a%3Db&fieldSelector=metadata.name%3D%3Dx',
  'labelSelector=&fieldSelector=',
];

const ofAttributes: readonly Asking[] = [
  byUser('uid, groups and extra', '/api/v1/namespaces/allow/pods/p/log', 'eve', {
    'impersonate-uid': 'u-1',
    'impersonate-group': 'g1',
    'impersonate-extra-scopes': 'view',
    'impersonate-extra-example.com%2fteam': 'a',
  }),
  byUser('path', '/healthz/ping'),
  byUser('path that the webhook denies', '/deny'),
  byUser('subresource of a group', '/apis/apps/v1/namespaces/allow/deployments/d/scale'),
  byUser('cluster-wide resource', '/api/v1/nodes'),
  byUser('watch', '/api/v1/namespaces/deny/pods?watch=true'),
  byUser('long name', `/api/v1/namespaces/deny/configmaps/${long}`),
  byUser('long name, again', `/api/v1/namespaces/deny/configmaps/${long}`),
  byUser('very long name', `/api/v1/namespaces/deny/configmaps/${long}${long}${long}${long}`),
  byUser('very long name, again', `/api/v1/namespaces/deny/configmaps/${long}${long}${long}${long}`),
  byUser('user whom a condition excludes', '/api/v1/namespaces/allow/pods', 'skipped'),
  byUser('user for whom a condition fails', '/api/v1/namespaces/allow/pods', 'condition-fails'),
  byUser('strict user for whom a condition fails', '/api/v1/namespaces/allow/pods', 'strict-fails'),
  byUser('user for whom a condition fails, with a query', '/api/v1/pods?limit=1&a=<b>', 'condition-fails'),
  byUser('user whom a condition excludes while another fails', '/api/v1/namespaces/allow/pods', 'fails-and-skipped'),
  byUser('node', '/api/v1/nodes/n1', 'system:node:n1', { 'impersonate-group': 'system:nodes' }),
  ...selectors.flatMap((query) => [
    byUser(`list with ${query}`, `/api/v1/namespaces/deny/pods?${query}`),
    byUser(`list with ${query}, by a user of selectors`, `/api/v1/namespaces/allow/pods?${query}`, 'selecting'),
  ]),
  {
    ...byUser('deletion of a collection', '/api/v1/namespaces/deny/pods?labelSelector=a%3Db'),
    method: 'DELETE',
  },
];

function review(name: string, kind: string, spec: object, namespace = ''): Asking {
  const place = namespace === '' ? '' : `namespaces/${namespace}/`;
  return {
    name: `${kind}: ${name}`,
    method: 'POST',
    path: `/apis/authorization.k8s.io/v1/${place}${kind.toLowerCase()}s`,
    token: adminToken,
    body: { spec, ...(namespace !== '' && { metadata: { namespace } }) },
  };
}

const user = { user: 'eve', groups: ['g'], uid: 'u', extra: { 'a/b': ['c'] } };
const terms = (list: 'fieldSelector' | 'labelSelector', ...requirements: object[]): object => ({
  [list]: { requirements },
});
const term = (key: string, operator: string, ...values: string[]): object => ({ key, operator, values });

const ofReviews: readonly Asking[] = [
  ...answers.map((namespace) =>
    review(namespace, 'SubjectAccessReview', {
      ...user,
      resourceAttributes: { namespace, verb: 'get', resource: 'pods' },
    }),
  ),
  ...[
    terms(
      'labelSelector',
      term('a', 'In', 'z', 'y'),
      term('b', 'Exists'),
      term('c', 'DoesNotExist'),
      term('d', 'NotIn', 'q'),
    ),
    terms('labelSelector', term('a', 'In', 'x'), term('b', 'Gt', '1')),
    terms('fieldSelector', term('metadata.name', 'In', 'x'), term('spec.nodeName', 'NotIn', 'y')),
    terms('fieldSelector', term('metadata.name', 'In', 'x'), term('spec.nodeName', 'In', 'y', 'z')),
    { labelSelector: { rawSelector: 'a=b,c in (d,a)' } },
    { labelSelector: { rawSelector: 'a in' } },
    { fieldSelector: { rawSelector: 'metadata.name=x' } },
    { fieldSelector: { rawSelector: 'metadata.name' } },
  ].map((selector) =>
    review(JSON.stringify(selector), 'SubjectAccessReview', {
      ...user,
      resourceAttributes: { namespace: 'opinionless', verb: 'list', resource: 'pods', version: 'v1', ...selector },
    }),
  ),
  review('path', 'SubjectAccessReview', { ...user, nonResourceAttributes: { path: '/deny', verb: 'get' } }),
  review('other group', 'SubjectAccessReview', {
    user: 'eve',
    resourceAttributes: {
      namespace: 'allow',
      verb: 'patch',
      group: 'apps',
      resource: 'deployments',
      subresource: 'scale',
      name: 'd',
    },
  }),
  review(
    'local',
    'LocalSubjectAccessReview',
    { ...user, resourceAttributes: { namespace: 'deny', verb: 'get', resource: 'pods' } },
    'deny',
  ),
  {
    ...review('self', 'SelfSubjectAccessReview', {
      resourceAttributes: { namespace: 'deny', verb: 'get', resource: 'pods' },
    }),
    token: bobToken,
  },
  { ...review('rules', 'SelfSubjectRulesReview', { namespace: 'allow' }), token: bobToken },
];

const role = (name: string): object => ({
  metadata: { name },
  rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
});

/** Whether users may grant what they do not hold is asked of the authorizers, too. */
const ofEscalation: readonly Asking[] = ['allow', 'deny', 'opinionless'].flatMap((namespace) => [
  {
    ...byUser(`role in ${namespace}`, `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles?dryRun=All`),
    method: 'POST',
    body: role('r'),
  },
  {
    ...byUser(
      `binding in ${namespace}`,
      `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings?dryRun=All`,
    ),
    method: 'POST',
    body: {
      metadata: { name: 'b' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'User', name: 'eve', apiGroup: 'rbac.authorization.k8s.io' }],
    },
  },
]);

/** What is asked of both servers, part by part. */
export const askings: Readonly<Record<string, readonly Asking[]>> = {
  'answers of webhooks': ofAnswers,
  'attributes of requests': ofAttributes,
  'access reviews': ofReviews,
  'rights to grant': ofEscalation,
};
