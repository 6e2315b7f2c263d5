import { Buffer } from 'node:buffer';
import type { ExtensionServer } from './extension-server.ts';

/** How the API finds the server: by a name, or by endpoints (`--enable-aggregator-routing`). */
export type Routing = 'ExternalName' | 'EndpointSlice';

/** The namespace, the service account and what it may do. */
export function identityObjects({ name, rules }: ExtensionServer): object[] {
  const rbac = 'rbac.authorization.k8s.io';
  const subjects = [{ kind: 'ServiceAccount', name, namespace: name }];
  const clusterRole = (role: string, binding: string): object => ({
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: binding },
    subjects,
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
  });
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: name } },
    { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name: `${name}-server` }, rules },
    clusterRole(`${name}-server`, `${name}-server`),
    clusterRole('system:auth-delegator', `${name}-auth-delegator`),
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: { name: `${name}-auth-reader`, namespace: 'kube-system' },
      subjects,
      roleRef: { apiGroup: rbac, kind: 'Role', name: 'extension-apiserver-authentication-reader' },
    },
  ];
}

/** The Service, where it leads, and an APIService for each version. */
export function registrationObjects(
  server: ExtensionServer,
  routing: Routing,
  at: { readonly host: string; readonly port: number; readonly caBundle: string },
): object[] {
  const { name, group, versions } = server;
  const port = routing === 'ExternalName' ? at.port : 443;
  const metadata = { name, namespace: name };
  const service =
    routing === 'ExternalName'
      ? { type: 'ExternalName', externalName: 'localhost' }
      : { ports: [{ name: 'https', port, targetPort: at.port }] };
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { ...metadata, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports: [{ name: 'https', port: at.port, protocol: 'TCP' }],
    endpoints: [{ addresses: [at.host], conditions: { ready: true } }],
  };
  return [
    { apiVersion: 'v1', kind: 'Service', metadata, spec: service },
    ...(routing === 'EndpointSlice' ? [slice] : []),
    ...versions.map((version, index) => ({
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `${version}.${group}` },
      spec: {
        group,
        version,
        groupPriorityMinimum: 1000,
        versionPriority: 15 - index,
        caBundle: Buffer.from(at.caBundle).toString('base64'),
        service: { namespace: name, name, port },
      },
    })),
  ];
}
