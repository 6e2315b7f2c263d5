import { hasReason } from '../../../shared/apimachinery/status.ts';
import type { KubeObject } from '../../../shared/apimachinery/object.ts';
import type { CoreContext } from '../core-context.ts';
import { systemContext } from './system-context.ts';

/** Creates the object unless one of its name is there; several servers may try at once. True if this call made it. */
export async function ensureObject(core: CoreContext, group: string, resource: string, object: KubeObject, fieldManager?: string): Promise<boolean> {
  const store = core.store(group, resource);
  const namespace = object.metadata.namespace ?? '';
  // Asked first: to create what exists would take and give back addresses.
  await store.cache.waitForCurrent();
  if (store.cache.get(store.key(namespace, object.metadata.name))) return false;
  core.setDefaults(group, resource, object);
  try {
    await store.create(systemContext(namespace, fieldManager), object);
    return true;
  } catch (error) {
    if (hasReason(error, 'AlreadyExists')) return false;
    throw error;
  }
}
