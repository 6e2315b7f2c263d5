import type { ObjectLister } from '#shared/admission/contract/object-lister.ts';
import { newInternalError } from '#shared/apimachinery/errors/status.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';

/** The namespace of a pod, from storage if the cache has not heard of it. */
export async function namespaceOf(namespaces: ObjectLister, name: string): Promise<KubeObject> {
  const namespace = await namespaces.getFresh('', name);
  if (namespace === undefined) throw newInternalError(`namespace ${name} does not exist`);
  return namespace;
}
