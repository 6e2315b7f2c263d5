import { hasReason } from '../../../shared/apimachinery/status.ts';
import type { KubeObject } from '../../../shared/apimachinery/object.ts';
import type { CoreContext } from '../context/core-context.ts';
import { systemContext } from '../../../shared/registry/system-context.ts';

/** Creates the object unless one of its name is there; several servers may try at once. True if this call made it. */
export async function ensureStored(
  core: CoreContext,
  group: string,
  resource: string,
  object: KubeObject,
  fieldManager?: string,
): Promise<boolean> {
  const store = core.store(group, resource);
  // Asked first: to create what exists would take and give back addresses.
  await store.cache.waitForCurrent();
  if (store.cache.get(store.key(object.metadata.namespace ?? '', object.metadata.name))) return false;
  return makeObject(core, group, resource, object, fieldManager);
}

/** The same for a ConfigMap. There may be very many, and nothing else at the start needs all of them in the cache. */
export async function ensureConfigMap(core: CoreContext, object: KubeObject): Promise<boolean> {
  const { namespace, name } = object.metadata;
  const { kv } = await core.storage.get(core.store('', 'configmaps').key(namespace ?? '', name));
  return kv === undefined && makeObject(core, '', 'configmaps', object);
}

async function makeObject(
  core: CoreContext,
  group: string,
  resource: string,
  object: KubeObject,
  fieldManager?: string,
): Promise<boolean> {
  core.setDefaults(group, resource, object);
  try {
    await core
      .store(group, resource)
      .create(object, systemContext({ namespace: object.metadata.namespace ?? '', fieldManager }));
    return true;
  } catch (error) {
    if (hasReason(error, 'AlreadyExists')) return false;
    throw error;
  }
}
