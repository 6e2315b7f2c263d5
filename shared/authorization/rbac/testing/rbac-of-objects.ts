import assert from 'node:assert/strict';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import type { AuthorizerAttributes } from '#shared/authorization/contract/authorizer.ts';
import { createAuthorization, type AuthorizationSystem } from '#shared/authorization/create-authorizer.ts';
import { NodeFakeCaches } from '#shared/authorization/testing/fake-caches.ts';
import { createLogger } from '#shared/observability/logger.ts';
import { atOncePace } from '#shared/registry/pace.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';
import type { UserInfo } from '#shared/request/user.ts';

export const group = 'rbac.authorization.k8s.io';
export const bob: UserInfo = { name: 'bob', uid: '', groups: ['dev', 'system:authenticated'], extra: {} };
export const account: UserInfo = { name: 'system:serviceaccount:c11:default', uid: '', groups: [], extra: {} };

export function role(kind: string, namespace: string, name: string, ...rules: JsonObject[]): KubeObject {
  return asKubeObject({ kind, metadata: { name, ...(namespace === '' ? {} : { namespace }) }, rules });
}

export function binding(
  kind: string,
  namespace: string,
  name: string,
  roleRef: string,
  ...subjects: JsonObject[]
): KubeObject {
  const [roleKind = '', roleName = ''] = roleRef.split('/');
  return asKubeObject({
    kind,
    metadata: { name, ...(namespace === '' ? {} : { namespace }) },
    roleRef: { apiGroup: group, kind: roleKind, name: roleName },
    subjects,
  });
}

export const user = (name: string): JsonObject => ({ kind: 'User', name, apiGroup: group });

export function ask(attributes: Partial<AuthorizerAttributes>): AuthorizerAttributes {
  return {
    user: bob,
    verb: 'get',
    resourceRequest: true,
    apiGroup: '',
    apiVersion: 'v1',
    resource: 'configmaps',
    subresource: '',
    namespace: 'c11',
    name: '',
    path: '',
    ...attributes,
  };
}

function authorizationOf(caches: NodeFakeCaches, ...modes: readonly string[]): AuthorizationSystem {
  return createAuthorization({
    opened: { authorizers: modes.map((type) => ({ type, name: type.toLowerCase() })) },
    caches,
    gates: { isEnabled: () => true },
    knowsKind: () => false,
    serverId: 'test',
    logger: createLogger({ level: 0, format: 'text', write: () => undefined }),
  });
}

export function start(): { caches: NodeFakeCaches; system: AuthorizationSystem } {
  const caches = new NodeFakeCaches();
  caches.put(
    group,
    'roles',
    role(
      'Role',
      'c11',
      'reader',
      { apiGroups: [''], resources: ['configmaps', '*/scale'], verbs: ['get', 'list'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['only'], verbs: ['get'] },
    ),
  );
  caches.put(
    group,
    'rolebindings',
    binding('RoleBinding', 'c11', 'bob', 'Role/reader', user('bob'), { kind: 'ServiceAccount', name: 'default' }),
  );
  caches.put(
    group,
    'clusterroles',
    role('ClusterRole', '', 'health', { nonResourceURLs: ['/healthz', '/api/*'], verbs: ['get'] }),
  );
  caches.put(
    group,
    'clusterrolebindings',
    binding('ClusterRoleBinding', '', 'health', 'ClusterRole/health', { kind: 'Group', name: 'dev', apiGroup: group }),
  );
  return { caches, system: authorizationOf(caches, 'Node', 'RBAC') };
}

export function context(change: Partial<OperationContext> = {}): OperationContext {
  return {
    user: bob,
    namespace: 'c11',
    dryRun: false,
    subresource: '',
    addWarning: () => undefined,
    pace: atOncePace,
    nowMs: 0,
    ...change,
  };
}

export async function message(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return '';
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    return error.message;
  }
}
