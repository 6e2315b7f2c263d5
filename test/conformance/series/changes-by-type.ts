import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const drivers = '/apis/storage.k8s.io/v1/csidrivers';
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
const quotas = '/api/v1/namespaces/default/resourcequotas';
const rbac = '/apis/rbac.authorization.k8s.io/v1';

const patch = (path: string, body: JsonValue, headers: Readonly<Record<string, string>> = {}): Request => ({
  method: 'PATCH',
  path,
  body,
  headers,
});

/** What is another text but the same value, and the other way round: generations, warnings and refusals tell. */
export const changesByTypeSeries: readonly Series[] = [
  {
    name: 'changes by type: tokens of a CSIDriver',
    requests(run) {
      const path = `${drivers}/${run}.example.com`;
      const tokens = (tokenRequests: JsonValue): Request => patch(path, { spec: { tokenRequests } });
      return [
        {
          method: 'POST',
          path: drivers,
          body: {
            apiVersion: 'storage.k8s.io/v1',
            kind: 'CSIDriver',
            metadata: { name: `${run}.example.com` },
            spec: { tokenRequests: [{ audience: '' }] },
          },
        },
        tokens([{}]),
        tokens([]),
        tokens(null),
        tokens([{ audience: 'a' }]),
        patch(path, { metadata: { labels: { a: 'b' } } }),
      ];
    },
  },
  {
    name: 'changes by type: endpoints of an EndpointSlice',
    requests(run) {
      const path = `${slices}/${run}`;
      const endpoint = (more: JsonObject): Request =>
        patch(path, { endpoints: [{ addresses: ['10.1.2.3'], ...more }] });
      return [
        {
          method: 'POST',
          path: slices,
          body: {
            apiVersion: 'discovery.k8s.io/v1',
            kind: 'EndpointSlice',
            metadata: { name: run },
            addressType: 'IPv4',
            endpoints: [{ addresses: ['10.1.2.3'] }],
            ports: [],
          },
        },
        endpoint({ conditions: {} }),
        endpoint({ deprecatedTopology: { a: 'b' } }),
        endpoint({ hostname: '' }),
        patch(path, { ports: null }),
        patch(path, { metadata: { labels: {} } }),
        patch(path, { metadata: { labels: { a: 'b' } } }),
        patch(path, { metadata: { annotations: { a: 'b' } } }),
      ];
    },
  },
  {
    name: 'changes by type: scopes of a ResourceQuota',
    requests(run) {
      const scopes = (...list: string[]): Request => patch(`${quotas}/${run}`, { spec: { scopes: list } });
      return [
        {
          method: 'POST',
          path: quotas,
          body: {
            apiVersion: 'v1',
            kind: 'ResourceQuota',
            metadata: { name: run },
            spec: { scopes: ['BestEffort'], hard: { pods: '1' } },
          },
        },
        scopes('BestEffort', 'BestEffort'),
        scopes('NotBestEffort', 'BestEffort'),
        scopes(),
      ];
    },
  },
  { name: 'changes by type: roles of who may not grant them', requests: grants },
];

/** By a user who may write roles and holds nothing else. */
function grants(run: string): readonly Request[] {
  const path = `${rbac}/clusterroles/${run}`;
  const as = { 'impersonate-user': run };
  const kind = { apiGroup: 'rbac.authorization.k8s.io', name: `${run}-writer` };
  const role: JsonObject = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: run },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['*'] }],
  };
  return [
    { method: 'POST', path: `${rbac}/clusterroles`, body: role },
    {
      method: 'POST',
      path: `${rbac}/clusterroles`,
      body: {
        ...role,
        metadata: { name: kind.name },
        rules: [{ apiGroups: [kind.apiGroup], resources: ['clusterroles'], verbs: ['get', 'update', 'patch'] }],
      },
    },
    {
      method: 'POST',
      path: `${rbac}/clusterrolebindings`,
      body: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: run },
        roleRef: { ...kind, kind: 'ClusterRole' },
        subjects: [{ kind: 'User', apiGroup: kind.apiGroup, name: run }],
      },
    },
    { method: 'GET', path, headers: as, until: ({ status }) => status === 200 },
    patch(path, { metadata: { finalizers: ['example.com/a'] } }, as),
    patch(path, { metadata: { finalizers: [] } }, as),
    patch(path, {}, as),
    patch(path, { metadata: { labels: {} } }, as),
    patch(path, { metadata: { labels: { a: 'b' } } }, as),
    patch(path, { metadata: { resourceVersion: null } }, as),
    patch(path, { metadata: { uid: null } }, as),
    patch(path, { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['*'], resourceNames: [] }] }, as),
    { method: 'PUT', path, body: role, headers: as },
  ];
}
