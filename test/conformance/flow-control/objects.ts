const group = '/apis/flowcontrol.apiserver.k8s.io/v1';

interface Created {
  readonly path: string;
  readonly body: object;
}

function level(name: string, limited: object): Created {
  return {
    path: `${group}/prioritylevelconfigurations`,
    body: { metadata: { name }, spec: { type: 'Limited', limited } },
  };
}

function schema(name: string, spec: object): Created {
  return { path: `${group}/flowschemas`, body: { metadata: { name }, spec } };
}

const to = (name: string): object => ({ priorityLevelConfiguration: { name } });
const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] };
const user = (name: string): object => ({ kind: 'User', user: { name } });

/** Objects whose rules and order of precedence touch the requests of the suite, in the order of their creation. */
export const objects: readonly Created[] = [
  level('suite-rejects', { nominalConcurrencyShares: 3, limitResponse: { type: 'Reject' } }),
  level('suite-queues', {
    nominalConcurrencyShares: 17,
    lendablePercent: 33,
    borrowingLimitPercent: 20,
    limitResponse: { type: 'Queue', queuing: { queues: 16, handSize: 4, queueLengthLimit: 5 } },
  }),
  level('suite-nothing', { nominalConcurrencyShares: 0, lendablePercent: 90, limitResponse: { type: 'Reject' } }),
  schema('suite-logs', {
    ...to('suite-rejects'),
    matchingPrecedence: 90,
    rules: [{ subjects: [user('alice')], resourceRules: [{ ...all, resources: ['pods/log', 'nodes/status'] }] }],
  }),
  schema('suite-cluster', {
    ...to('suite-queues'),
    matchingPrecedence: 91,
    distinguisherMethod: { type: 'ByNamespace' },
    rules: [
      {
        subjects: [{ kind: 'Group', group: { name: 'developers' } }],
        resourceRules: [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['*'], namespaces: ['flows'] }],
      },
    ],
  }),
  schema('suite-worker', {
    ...to('suite-queues'),
    matchingPrecedence: 92,
    rules: [
      {
        subjects: [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'flows', name: '*' } }],
        resourceRules: [all],
      },
    ],
  }),
  schema('suite-dangling', {
    ...to('no-such-level'),
    matchingPrecedence: 2,
    rules: [
      { subjects: [user('*')], resourceRules: [all], nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }] },
    ],
  }),
  schema('suite-paths', {
    ...to('suite-rejects'),
    matchingPrecedence: 93,
    rules: [
      { subjects: [user('alice')], nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/apis/*', '/readyz/*'] }] },
    ],
  }),
  schema('suite-last', {
    ...to('suite-rejects'),
    matchingPrecedence: 94,
    rules: [{ subjects: [user('probe-of-suite')], nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }] }],
  }),
];
