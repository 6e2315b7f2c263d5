import type { CoreContext } from '#servers/core/context/core-context.ts';
import type { BootstrapFiles } from '#shared/api/gen-format.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, objectAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureStored } from './ensure-object.ts';

const group = 'rbac.authorization.k8s.io';

/** Bindings of releases before 1.14, by the name of the binding that was split from them. */
const splitFrom: Readonly<Record<string, string>> = { 'system:public-info-viewer': 'system:discovery' };

/**
 * Keeps users' changes in the roles and bindings of older releases, before they are reconciled
 * (pkg/registry/rbac/rest/storage_rbac.go): the rules of a role that is now aggregated move to the role that is
 * aggregated into it, and a binding that was split passes its subjects, labels and annotations to the new one.
 */
export async function migrateOlderRbac(core: CoreContext, policy: BootstrapFiles['rbac']): Promise<void> {
  for (const [old, part] of Object.entries(policy.clusterRolesToAggregate)) {
    const role = await present(core, 'clusterroles', old);
    if (role === undefined || (await present(core, 'clusterroles', part)) !== undefined) continue;
    if (objectAt(role, 'aggregationRule') !== undefined) break;
    await ensureStored(core, group, 'clusterroles', renamed(role, part));
  }
  for (const facts of policy.clusterRoleBindings) {
    const split = asKubeObject({ apiVersion: `${group}/v1`, kind: 'ClusterRoleBinding', ...facts });
    const { name = '' } = split.metadata;
    const source = getKey(splitFrom, name);
    const binding = source === undefined ? undefined : await present(core, 'clusterrolebindings', source);
    if (binding === undefined) continue;
    const { labels, annotations } = binding.metadata;
    const { subjects } = binding;
    const metadata = { name, ...(labels && { labels }), ...(annotations && { annotations }) };
    await ensureStored(
      core,
      group,
      'clusterrolebindings',
      cloneJson({ ...split, metadata, ...(subjects !== undefined && { subjects }) }),
    );
  }
}

async function present(core: CoreContext, resource: string, name: string): Promise<KubeObject | undefined> {
  const store = core.store(group, resource);
  await store.cache.waitForCurrent();
  const entry = store.cache.get(store.key('', name));
  return entry && store.parse(entry);
}

function renamed(role: KubeObject, name: string): KubeObject {
  const { resourceVersion: _resourceVersion, ...metadata } = role.metadata;
  return { ...role, metadata: { ...metadata, name } };
}
