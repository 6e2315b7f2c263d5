import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
const rbac = '/apis/rbac.authorization.k8s.io/v1';

const result: JsonObject = { request: 'one', driver: 'a.example.com', pool: 'p', device: 'd' };
const device = (more: JsonObject): JsonObject => ({ driver: 'a.example.com', pool: 'p', device: 'd', ...more });
const onNode = (name: string): JsonObject => ({
  nodeSelector: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }] },
});

/** A user with the rules, whom requests with the headers come from. */
function allow(user: string, rules: readonly JsonObject[]): readonly Request[] {
  const metadata = { name: user.replaceAll(':', '-') };
  const role = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name };
  return [
    {
      method: 'POST',
      path: `${rbac}/clusterroles`,
      body: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata,
        rules: [
          {
            apiGroups: ['resource.k8s.io'],
            resources: ['resourceclaims', 'resourceclaims/status'],
            verbs: ['get', 'update', 'patch'],
          },
          ...rules,
        ],
      },
    },
    {
      method: 'POST',
      path: `${rbac}/clusterrolebindings`,
      body: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata,
        roleRef: role,
        subjects: [{ kind: 'User', apiGroup: role.apiGroup, name: user }],
      },
    },
    {
      method: 'GET',
      path: `${claims}/nothing`,
      headers: { 'impersonate-user': user },
      until: ({ status }) => status === 404,
    },
  ];
}

const rule = (resource: string, verbs: string[], resourceNames: string[] = []): JsonObject => ({
  apiGroups: ['resource.k8s.io'],
  resources: [`resourceclaims/${resource}`],
  verbs,
  ...(resourceNames.length > 0 && { resourceNames }),
});

/** Who may bind a claim, and who may write the status of its devices (KEP-4817). */
export const claimRightsSeries: readonly Series[] = [
  {
    name: 'rights on the status of claims',
    requests(run) {
      const account = `system:serviceaccount:default:${run}`;
      const by = (user: string, status: JsonObject, node?: string): Request => ({
        method: 'PATCH',
        path: `${claims}/${run}/status`,
        body: { status },
        headers: {
          'impersonate-user': user,
          ...(node !== undefined && { 'impersonate-extra-authentication.kubernetes.io%2fnode-name': node }),
        },
      });
      const put = (user: string, status: JsonObject): Request => ({
        method: 'PUT',
        path: `${claims}/${run}/status`,
        headers: { 'impersonate-user': user },
        body: {
          apiVersion: 'resource.k8s.io/v1',
          kind: 'ResourceClaim',
          metadata: { name: run, namespace: 'default' },
          spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'a' } }] } },
          status,
        },
      });
      const allocation = { devices: { results: [result, { ...result, driver: 'b.example.com' }] }, ...onNode('n1') };
      return [
        {
          method: 'POST',
          path: claims,
          body: {
            apiVersion: 'resource.k8s.io/v1',
            kind: 'ResourceClaim',
            metadata: { name: run, namespace: 'default' },
            spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'a' } }] } },
          },
        },
        ...allow(`${run}-nobody`, []),
        ...allow(`${run}-binder`, [rule('binding', ['patch'])]),
        ...allow(`${run}-driver`, [rule('driver', ['arbitrary-node:patch'], ['a.example.com'])]),
        ...allow(account, [rule('driver', ['associated-node:patch'])]),
        by(`${run}-nobody`, { allocation }),
        put(`${run}-nobody`, { allocation }),
        put(`${run}-binder`, { allocation }),
        by(`${run}-nobody`, { reservedFor: [{ resource: 'pods', name: 'a', uid: 'u' }] }),
        by(`${run}-nobody`, {}),
        by(`${run}-binder`, { allocation }),
        by(`${run}-nobody`, { reservedFor: [{ resource: 'pods', name: 'a', uid: 'u' }] }),
        by(`${run}-binder`, { reservedFor: [{ resource: 'pods', name: 'a', uid: 'u' }] }),
        by(`${run}-nobody`, { devices: [device({})] }),
        by(`${run}-driver`, { devices: [device({})] }),
        by(`${run}-driver`, { devices: [device({}), device({ driver: 'b.example.com' })] }),
        by(`${run}-driver`, { devices: [device({})] }),
        by(`${run}-nobody`, { devices: [device({})] }),
        by(account, { devices: [device({ data: { a: 1 } })] }),
        by(account, { devices: [device({ data: { a: 1 } })] }, 'n2'),
        by(account, { devices: [device({ data: { a: 1 } })] }, 'n1'),
        by(`${run}-driver`, { devices: [device({ data: { a: 1 } })] }, 'n1'),
        by(`${run}-nobody`, { devices: [] }),
        by(`${run}-nobody`, { devices: [device({ driver: 'z.example.com' }), device({ driver: 'b.example.com' })] }),
        by(`${run}-binder`, { allocation: null, reservedFor: null }),
        by(`${run}-nobody`, { allocation: {}, reservedFor: [{}] }),
      ];
    },
  },
];
