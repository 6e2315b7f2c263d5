import { sendJson as send, type Exchange, type Server } from '#test/compare/exchange.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';

/** Deletes as a user who may delete everything, but may not do so without reading. */
export async function playAs(
  server: Server,
  remove: (as: Readonly<Record<string, string>>) => Promise<Exchange>,
): Promise<Exchange[]> {
  const metadata = { name: 'deletes-everything' };
  await send(server, 'POST', `${rbac}/clusterroles`, {
    metadata,
    rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'delete'] }],
  });
  await send(server, 'POST', `${rbac}/clusterrolebindings`, {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
  });
  return [await remove({ 'impersonate-user': 'jane' })];
}
