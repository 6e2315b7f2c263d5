import type { GroupResource } from '../../apimachinery/gvk.ts';
import { stringsAt } from '../../apimachinery/object.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '../admission.ts';
import { appendTo } from '../list-append.ts';

/** Resource and group → finalizer. */
const finalizers: ReadonlyMap<string, string> = new Map([
  ['persistentvolumes.', 'kubernetes.io/pv-protection'],
  ['persistentvolumeclaims.', 'kubernetes.io/pvc-protection'],
  ['volumeattributesclasses.storage.k8s.io', 'kubernetes.io/vac-protection'],
]);

function finalizerOf({ group, resource }: GroupResource): string | undefined {
  return finalizers.get(`${resource}.${group}`);
}

/** Volumes, claims and attribute classes stay while they are used (plugin/pkg/admission/storage/storageobjectinuseprotection). */
export class StorageObjectInUseProtection implements AdmissionPlugin {
  readonly name = 'StorageObjectInUseProtection';

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation === 'CREATE' && finalizerOf(resource) !== undefined;
  }

  admit({ object, resource, subresource }: AdmissionAttributes): void {
    const finalizer = finalizerOf(resource);
    if (object === undefined || subresource !== '' || finalizer === undefined || stringsAt(object.metadata, 'finalizers').includes(finalizer)) return;
    appendTo(object.metadata, 'finalizers', finalizer);
  }
}
