import { JsonClient } from '#test/json-client.ts';
import { adminToken, bobToken } from '#test/tokens.ts';
import { tellHttp2, type RawRequest, type RightsAnswer } from './told-rights.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const review = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

/** An answer that is asked for to be kept, and what it must not be an answer for. */
interface Theft {
  readonly name: string;
  /** Answered for what it is, or refused. */
  readonly bait: readonly RawRequest[];
  readonly wanted: RawRequest;
}

const asBob = (method: string, target: string, more: Partial<RawRequest> = {}): RawRequest => ({
  method,
  target,
  token: bobToken,
  ...more,
});
const ask = (nonResourceAttributes: { verb: string; path: string }): RawRequest =>
  asBob('POST', review, {
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { nonResourceAttributes } },
  });
const toMasters = {
  fields: [
    ['impersonate-user', 'admin'],
    ['impersonate-group', 'system:masters'],
  ] as const,
};

/**
 * Bob may ask for every path that is no resource, with every verb, and may make bindings; he may read, bind and
 * impersonate nothing.
 */
const thefts: readonly Theft[] = [
  {
    name: 'a Secret by a path that spells its key',
    bait: [
      asBob('GET', '%00secrets%00%00kube-system%00stolen', { scheme: 'foo' }),
      asBob('GET', '/%00secrets%00%00kube-system%00stolen'),
      asBob('GET', '%00secrets%00%00kube-system%00stolen'),
    ],
    wanted: asBob('GET', '/api/v1/namespaces/kube-system/secrets/stolen'),
  },
  {
    name: 'a Secret by a review that spells its key',
    bait: [
      ask({ verb: 'get', path: '\0secrets\0\0kube-system\0stolen' }),
      ask({ verb: 'get\0\0secrets\0\0kube-system', path: 'stolen' }),
    ],
    wanted: asBob('GET', '/api/v1/namespaces/kube-system/secrets/stolen'),
  },
  {
    name: 'a binding to cluster-admin by a review',
    bait: [ask({ verb: 'bind', path: 'rbac.authorization.k8s.io\0clusterroles\0\0\0cluster-admin' })],
    wanted: asBob('POST', `${rbac}/clusterrolebindings`, {
      body: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'stolen' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'mallory' }],
      },
    }),
  },
  {
    name: 'a role with more rights by a review',
    bait: [ask({ verb: 'escalate', path: 'rbac.authorization.k8s.io\0clusterroles\0\0\0' })],
    wanted: asBob('POST', `${rbac}/clusterroles`, {
      body: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'stolen' },
        rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
      },
    }),
  },
  {
    name: 'impersonation by methods that are named as its verb',
    bait: ['%00users%00%00%00admin', '%00groups%00%00%00system:masters'].flatMap((target) => [
      asBob('IMPERSONATE', target, { scheme: 'foo' }),
      asBob('impersonate', `/${target}`),
    ]),
    wanted: asBob('GET', '/api/v1/namespaces/kube-system/secrets', toMasters),
  },
  {
    name: 'impersonation by reviews',
    bait: [
      ask({ verb: 'impersonate', path: '\0users\0\0\0admin' }),
      ask({ verb: 'impersonate', path: '\0groups\0\0\0system:masters' }),
    ],
    wanted: asBob('GET', '/api/v1/namespaces/kube-system/secrets', toMasters),
  },
];

/**
 * Tells each bait, then asks for what it was laid out for. Expects an empty server with the tokens of `test/tokens.ts`.
 */
export async function steal(url: string): Promise<Readonly<Record<string, RightsAnswer>>> {
  const admin = new JsonClient(url, adminToken);
  const create = async (path: string, body: object): Promise<void> => {
    const { status } = await admin.call('POST', path, body);
    if (status !== 201) throw new Error(`${path} could not be created: ${status}`);
  };
  await create('/api/v1/namespaces/kube-system/secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'stolen' },
    stringData: { a: 'b' },
  });
  await create(`${rbac}/clusterroles`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'all-paths' },
    rules: [
      { verbs: ['*'], nonResourceURLs: ['*'] },
      {
        verbs: ['create'],
        apiGroups: ['rbac.authorization.k8s.io'],
        resources: ['clusterroles', 'clusterrolebindings'],
      },
    ],
  });
  await create(`${rbac}/clusterrolebindings`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'all-paths' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'all-paths' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }],
  });
  for (let known = false; !known;) known = (await tellHttp2(url, asBob('GET', '/metrics'))).status === 200;
  const answers: Record<string, RightsAnswer> = {};
  for (const { name, bait, wanted } of thefts) {
    for (const request of bait) await tellHttp2(url, request);
    answers[name] = await tellHttp2(url, wanted);
  }
  return answers;
}
