import type { KubeObject } from '../apimachinery/object.ts';
import type { Preconditions } from './resource-store.ts';

/** Says which precondition does not hold, in the words of the reference's storage. */
export function failedPrecondition(preconditions: Preconditions | undefined, old: KubeObject): string | undefined {
  const uid = preconditions?.uid;
  if (uid !== undefined && uid !== (old.metadata.uid ?? '')) {
    return `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid ?? ''}`;
  }
  const version = preconditions?.resourceVersion;
  if (version !== undefined && version !== (old.metadata.resourceVersion ?? '')) {
    return `Precondition failed: ResourceVersion in precondition: ${version}, ResourceVersion in object meta: ${old.metadata.resourceVersion ?? ''}`;
  }
  return undefined;
}
