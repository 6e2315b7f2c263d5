import type { CoreContext } from '#servers/core/context/core-context.ts';
import { bootstrapRbac } from '#shared/api/bootstrap-objects.ts';
import type { FeatureGates } from '#shared/api/feature-gates.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { ensureStored } from './ensure-object.ts';
import { migrateOlderRbac } from './older-rbac.ts';
import { reconcileBinding, reconcileRole, type BindingChange } from './reconcile-rbac.ts';

const group = 'rbac.authorization.k8s.io';
const autoupdate = 'rbac.authorization.kubernetes.io/autoupdate';

/**
 * Post-start hook `rbac/bootstrap-roles`: creates the bootstrap roles and bindings, and adds missing parts to existing
 * ones unless they opted out with the autoupdate annotation. No rule or subject is removed, not even those of gates
 * that are off now. A binding to another role is created again.
 */
export async function ensureRbac(core: CoreContext, gates: FeatureGates): Promise<void> {
  const facts = bootstrapRbac(gates);
  await migrateOlderRbac(core, facts);
  await Promise.all([
    ...facts.clusterRoles.map((role) => reconcile(core, 'clusterroles', 'ClusterRole', role, roleChange)),
    ...facts.roles.map((role) => reconcile(core, 'roles', 'Role', role, roleChange)),
  ]);
  await Promise.all([
    ...facts.clusterRoleBindings.map((binding) =>
      reconcile(core, 'clusterrolebindings', 'ClusterRoleBinding', binding, reconcileBinding),
    ),
    ...facts.roleBindings.map((binding) => reconcile(core, 'rolebindings', 'RoleBinding', binding, reconcileBinding)),
  ]);
}

type Reconcile = (present: KubeObject, wanted: KubeObject) => BindingChange;

const roleChange: Reconcile = (role, wanted) => (reconcileRole(role, wanted) ? 'update' : 'none');

async function reconcile(
  core: CoreContext,
  resource: string,
  kind: string,
  facts: JsonObject,
  change: Reconcile,
): Promise<void> {
  const wanted = asKubeObject({ apiVersion: `${group}/v1`, kind, ...facts });
  if (await ensureStored(core, group, resource, cloneJson(wanted))) return;
  const store = core.store(group, resource);
  const namespace = wanted.metadata.namespace ?? '';
  const name = wanted.metadata.name ?? '';
  const present = store.parse(await store.get(namespace, name));
  if (present.metadata.annotations?.[autoupdate] === 'false') return;
  const needed = change(present, wanted);
  if (needed === 'recreate') {
    const { uid } = present.metadata;
    await store.delete(name, { ...(uid !== undefined && { preconditions: { uid } }) }, systemContext({ namespace }));
    await ensureStored(core, group, resource, cloneJson(wanted));
  }
  if (needed !== 'update') return;
  await store.update(
    {
      name,
      subresource: '',
      retryOnConflict: true,
      transform: (existing) => (change(existing as KubeObject, wanted), existing as KubeObject),
    },
    systemContext({ namespace }),
  );
}
