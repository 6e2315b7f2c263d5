import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { appendTo } from '#shared/admission/contract/list-append.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { stringsAt } from '#shared/apimachinery/object.ts';

/** Finalizers by resource and group. */
const ofStorage: Readonly<Record<string, string>> = {
  'persistentvolumes.': 'kubernetes.io/pv-protection',
  'persistentvolumeclaims.': 'kubernetes.io/pvc-protection',
  'volumeattributesclasses.storage.k8s.io': 'kubernetes.io/vac-protection',
};

/**
 * Protects volumes, claims and attribute classes from removal while they are in use
 * (plugin/pkg/admission/storage/storageobjectinuseprotection).
 */
export function storageObjectInUseProtection(): AdmissionPlugin {
  return new ProtectionFinalizer('StorageObjectInUseProtection', ofStorage);
}

/** Protects pod groups from removal while they have pods (plugin/pkg/admission/scheduling/podgroupprotection). */
export function podGroupProtection(): AdmissionPlugin {
  return new ProtectionFinalizer('PodGroupProtection', {
    'podgroups.scheduling.k8s.io': 'scheduling.k8s.io/podgroup-protection',
  });
}

/** Adds a finalizer to new objects; a controller removes it once they are not in use. */
class ProtectionFinalizer implements AdmissionPlugin {
  readonly name: string;
  readonly #finalizers: Readonly<Record<string, string>>;

  constructor(name: string, finalizers: Readonly<Record<string, string>>) {
    this.name = name;
    this.#finalizers = finalizers;
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation === 'CREATE' && this.#finalizerOf(resource) !== undefined;
  }

  admit({ object, resource, subresource }: AdmissionAttributes): void {
    const finalizer = this.#finalizerOf(resource);
    if (
      object === undefined ||
      subresource !== '' ||
      finalizer === undefined ||
      stringsAt(object.metadata, 'finalizers').includes(finalizer)
    )
      return;
    appendTo(object.metadata, 'finalizers', finalizer);
  }

  #finalizerOf({ group, resource }: GroupResource): string | undefined {
    return getKey(this.#finalizers, `${resource}.${group}`);
  }
}
