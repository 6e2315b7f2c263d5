import type { JsonValue } from '#shared/apimachinery/json/json.ts';

/** A request that changes what a server made for itself. */
export interface Change {
  readonly method: 'PATCH' | 'POST' | 'DELETE';
  readonly path: string;
  /** A merge patch, or a new object. */
  readonly body?: JsonValue;
}

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const flowControl = '/apis/flowcontrol.apiserver.k8s.io/v1';
const autoupdate = 'rbac.authorization.kubernetes.io/autoupdate';
const group = (name: string): JsonValue => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name });
const role = (kind: string, name: string): JsonValue => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
const patch = (path: string, body: JsonValue): Change => ({ method: 'PATCH', path, body });
const remove = (path: string): Change => ({ method: 'DELETE', path });

/**
 * Roles and bindings as a user or an older release left them; servers put them right at the next start, or leave them
 * alone.
 */
const roles: readonly Change[] = [
  // As before they were split and aggregated (1.14, 1.9).
  patch(`${rbac}/clusterrolebindings/system:discovery`, {
    metadata: { labels: { team: 'a' }, annotations: { [autoupdate]: 'false', note: 'kept' } },
    subjects: [group('system:authenticated')],
  }),
  remove(`${rbac}/clusterrolebindings/system:public-info-viewer`),
  patch(`${rbac}/clusterroles/admin`, {
    aggregationRule: null,
    rules: [{ apiGroups: ['example.com'], resources: ['things'], verbs: ['get'] }],
  }),
  remove(`${rbac}/clusterroles/system:aggregate-to-admin`),
  // Rules that are away, that other rules cover, that nobody asked for.
  patch(`${rbac}/clusterroles/system:basic-user`, {
    rules: [{ apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectaccessreviews'], verbs: ['create'] }],
  }),
  patch(`${rbac}/clusterroles/system:kube-scheduler`, {
    rules: [
      { apiGroups: [''], resources: ['pods', 'nodes'], verbs: ['*'] },
      { apiGroups: [''], resources: ['*/status'], verbs: ['patch', 'update'] },
      { apiGroups: ['*'], resources: ['leases'], verbs: ['*'] },
      { apiGroups: ['example.com'], resources: ['things'], verbs: ['get'] },
    ],
  }),
  patch(`${rbac}/clusterroles/system:monitoring`, { rules: [{ nonResourceURLs: ['/livez*'], verbs: ['*'] }] }),
  patch(`${rbac}/clusterroles/system:node-problem-detector`, {
    rules: null,
    metadata: { annotations: { [autoupdate]: 'false' } },
  }),
  // Aggregation that is away, of another role, and where none belongs.
  patch(`${rbac}/clusterroles/view`, {
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { mine: 'true' } }] },
  }),
  patch(`${rbac}/clusterroles/system:node-bootstrapper`, {
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { mine: 'true' } }] },
  }),
  patch(`${rbac}/clusterroles/system:heapster`, {
    metadata: { labels: { 'kubernetes.io/bootstrapping': 'other' }, annotations: { [autoupdate]: null } },
  }),
  remove(`${rbac}/clusterroles/system:volume-scheduler`),
  // Bindings to other roles, to other subjects, and to the same subject in another group.
  remove(`${rbac}/clusterrolebindings/system:kube-dns`),
  {
    method: 'POST',
    path: `${rbac}/clusterrolebindings`,
    body: { metadata: { name: 'system:kube-dns' }, roleRef: role('ClusterRole', 'view'), subjects: [group('mine')] },
  },
  remove(`${rbac}/clusterrolebindings/system:volume-scheduler`),
  {
    method: 'POST',
    path: `${rbac}/clusterrolebindings`,
    body: {
      metadata: { name: 'system:volume-scheduler', annotations: { [autoupdate]: 'false' } },
      roleRef: role('ClusterRole', 'view'),
      subjects: [group('mine')],
    },
  },
  patch(`${rbac}/clusterrolebindings/system:monitoring`, {
    subjects: [group('mine'), { kind: 'ServiceAccount', name: 'monitoring', namespace: 'default' }],
  }),
  patch(`${rbac}/clusterrolebindings/system:node-proxier`, { subjects: null }),
  patch(`${rbac}/namespaces/kube-system/roles/system::leader-locking-kube-scheduler`, {
    rules: [
      {
        apiGroups: ['coordination.k8s.io'],
        resources: ['leases'],
        verbs: ['get', 'update', 'watch'],
        resourceNames: ['kube-scheduler', 'mine'],
      },
    ],
  }),
  patch(`${rbac}/namespaces/kube-system/rolebindings/system::leader-locking-kube-scheduler`, {
    metadata: { labels: null },
    subjects: [{ kind: 'ServiceAccount', name: 'kube-scheduler', namespace: 'other' }],
  }),
  remove(`${rbac}/namespaces/kube-public/rolebindings/system:controller:bootstrap-signer`),
];

const rest: readonly Change[] = [
  // One alone is refused, but a collection is not.
  remove('/apis/scheduling.k8s.io/v1/priorityclasses?fieldSelector=metadata.name%3Dsystem-node-critical'),
  patch('/apis/scheduling.k8s.io/v1/priorityclasses/system-cluster-critical', {
    description: 'mine',
    metadata: { labels: { mine: 'true' } },
  }),
  patch(`${flowControl}/flowschemas/service-accounts`, { spec: { matchingPrecedence: 8999 } }),
  patch(`${flowControl}/flowschemas/global-default`, {
    metadata: { annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' } },
    spec: { matchingPrecedence: 9899 },
  }),
  remove(`${flowControl}/flowschemas/probes`),
  remove(`${flowControl}/prioritylevelconfigurations/workload-low`),
  patch(`${flowControl}/prioritylevelconfigurations/leader-election`, {
    spec: { limited: { nominalConcurrencyShares: 11 } },
  }),
  patch(`${flowControl}/prioritylevelconfigurations/exempt`, {
    spec: { exempt: { nominalConcurrencyShares: 7, lendablePercent: 3 } },
  }),
  patch(`${flowControl}/flowschemas/catch-all`, {
    metadata: { annotations: { 'apf.kubernetes.io/autoupdate-spec': 'false' } },
  }),
  patch(`${flowControl}/flowschemas/system-nodes`, {
    metadata: { annotations: { 'apf.kubernetes.io/autoupdate-spec': 'maybe' } },
  }),
  {
    method: 'POST',
    path: `${flowControl}/flowschemas`,
    body: {
      metadata: { name: 'older', annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' } },
      spec: { priorityLevelConfiguration: { name: 'workload-high' } },
    },
  },
  {
    method: 'POST',
    path: `${flowControl}/flowschemas`,
    body: { metadata: { name: 'mine' }, spec: { priorityLevelConfiguration: { name: 'missing' } } },
  },
  {
    method: 'POST',
    path: `${flowControl}/prioritylevelconfigurations`,
    body: {
      metadata: { name: 'older', annotations: { 'apf.kubernetes.io/autoupdate-spec': 'T' } },
      spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
    },
  },
  patch('/api/v1/namespaces/default', { metadata: { labels: { mine: 'true' } } }),
  patch('/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication', {
    data: { mine: 'true', 'requestheader-allowed-names': '["other"]' },
  }),
  patch('/api/v1/namespaces/default/services/kubernetes', {
    metadata: { labels: { mine: 'true', component: null } },
    spec: { sessionAffinity: 'ClientIP', ports: [{ name: 'https', port: 444, targetPort: 6443, protocol: 'TCP' }] },
  }),
  patch('/apis/networking.k8s.io/v1/servicecidrs/kubernetes', { metadata: { labels: { mine: 'true' } } }),
];

export const changes: readonly Change[] = [...roles, ...rest];
