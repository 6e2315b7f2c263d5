import type { CoreContext } from '#servers/core/context/core-context.ts';
import { hasReason } from '#shared/apimachinery/errors/status.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { systemContext } from '#shared/registry/system-context.ts';

/** Creates the object unless it exists; several servers may try at once. Returns whether this call created it. */
export async function ensureStored(
  core: CoreContext,
  group: string,
  resource: string,
  object: KubeObject,
  fieldManager?: string,
): Promise<boolean> {
  const store = core.store(group, resource);
  // Checked first: a create that fails because the object exists would allocate and release addresses.
  await store.cache.waitForCurrent();
  if (store.cache.get(store.key(object.metadata.namespace ?? '', object.metadata.name))) return false;
  return makeObject(core, group, resource, object, fieldManager);
}

/** The same for a ConfigMap, without the cache: there may be very many, and nothing else needs them at the start. */
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
