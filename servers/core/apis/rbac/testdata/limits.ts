import type { LimitTable } from '#servers/core/testdata/limit-table.ts';
import { recordedRequest } from '#servers/core/testdata/recorded-request.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';

const group = 'rbac.authorization.k8s.io';
const rule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const roleRef = (more: JsonObject = {}): JsonObject => ({
  apiGroup: group,
  kind: 'ClusterRole',
  name: 'view',
  ...more,
});
const account = { kind: 'ServiceAccount', name: 'a', namespace: 'n' };
const user = { kind: 'User', name: 'u', apiGroup: group };

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest(group, 'v1', 'roles', 'Role', { rules: [rule] }),
    limits: [
      [
        'rules',
        [rule],
        [{ ...rule, verbs: [] }],
        'rules[0].verbs: Required value: verbs must contain at least one value',
      ],
      [
        'rules',
        [rule],
        [{ ...rule, apiGroups: [] }],
        'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
      ],
      [
        'rules',
        [rule],
        [{ ...rule, resources: [] }],
        'rules[0].resources: Required value: resource rules must supply at least one resource',
      ],
      [
        'rules',
        [rule],
        [{ ...rule, nonResourceURLs: ['/a'] }],
        'rules[0].nonResourceURLs: Invalid value: ["/a"]: namespaced rules cannot apply to non-resource URLs',
        'rules[0].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs',
      ],
    ],
  },
  {
    valid: recordedRequest(group, 'v1', 'clusterroles', 'ClusterRole', { rules: [rule] }, false),
    limits: [
      [
        'rules',
        [{ verbs: ['get'], nonResourceURLs: ['/a'] }],
        [{ ...rule, nonResourceURLs: ['/a'] }],
        'rules[0].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs',
      ],
      [
        'aggregationRule',
        { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
        { clusterRoleSelectors: [] },
        'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
      ],
    ],
    updates: [
      [
        'rules',
        [rule],
        [{ ...rule, verbs: [] }],
        'rules[0].verbs: Required value: verbs must contain at least one value',
      ],
    ],
  },
  {
    valid: recordedRequest(group, 'v1', 'rolebindings', 'RoleBinding', { roleRef: roleRef() }),
    limits: [
      [
        'roleRef',
        roleRef({ kind: 'Role' }),
        roleRef({ kind: 'Group' }),
        'roleRef.kind: Unsupported value: "Group": supported values: "Role", "ClusterRole"',
      ],
      [
        'roleRef',
        roleRef(),
        roleRef({ apiGroup: 'a' }),
        'roleRef.apiGroup: Unsupported value: "a": supported values: "rbac.authorization.k8s.io"',
      ],
      ['roleRef', roleRef(), roleRef({ name: '' }), 'roleRef.name: Required value'],
      [
        'subjects',
        [account],
        [{ ...account, name: 'A' }],
        `subjects[0].name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
      [
        'subjects',
        [account],
        [{ ...account, apiGroup: group }],
        'subjects[0].apiGroup: Unsupported value: "rbac.authorization.k8s.io": supported values: ""',
      ],
      [
        'subjects',
        [user],
        [{ ...user, apiGroup: 'a' }],
        'subjects[0].apiGroup: Unsupported value: "a": supported values: "rbac.authorization.k8s.io"',
      ],
      [
        'subjects',
        [user],
        [{ ...user, kind: 'Robot' }],
        'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
      ],
    ],
    updates: [
      [
        'roleRef',
        roleRef(),
        roleRef({ name: 'edit' }),
        'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"edit"}: cannot change roleRef',
      ],
    ],
  },
  {
    valid: recordedRequest(group, 'v1', 'clusterrolebindings', 'ClusterRoleBinding', { roleRef: roleRef() }, false),
    limits: [
      [
        'roleRef',
        roleRef(),
        roleRef({ kind: 'Role' }),
        'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
      ],
      ['subjects', [account], [{ ...account, namespace: '' }], 'subjects[0].namespace: Required value'],
      ['subjects', [{ ...user, kind: 'Group' }], [{ ...user, name: '' }], 'subjects[0].name: Required value'],
    ],
    updates: [
      [
        'roleRef',
        roleRef(),
        roleRef({ name: 'edit' }),
        'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"edit"}: cannot change roleRef',
      ],
    ],
  },
];
