import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { Preconditions } from './resource-store.ts';

/**
 * The message for a precondition that fails, in the words of the storage layer of the reference; undefined if all hold.
 */
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

/** The same check with the message that the reference gives when it checks before the write. */
export function mismatchWithRecord(preconditions: Preconditions | undefined, record: KubeObject): string | undefined {
  const { uid, resourceVersion } = preconditions ?? {};
  const recordUid = record.metadata.uid ?? '';
  if (uid !== undefined && uid !== recordUid) {
    return `the UID in the precondition (${uid}) does not match the UID in record (${recordUid}). The object might have been deleted and then recreated`;
  }
  const version = record.metadata.resourceVersion ?? '';
  if (resourceVersion !== undefined && resourceVersion !== version) {
    return `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${version}). The object might have been modified`;
  }
  return undefined;
}
