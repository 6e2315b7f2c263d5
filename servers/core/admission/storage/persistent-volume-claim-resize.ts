import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isClaims } from '#shared/admission/contract/attribute-match.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { booleanAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Quantity } from '#shared/apimachinery/values/quantity-parse.ts';
import { compareQuantities, parseQuantity } from '#shared/apimachinery/values/quantity.ts';
import { claimClass } from '#shared/objects/claim-class.ts';

/**
 * Allows a larger claim only if it is bound and its class permits expansion
 * (plugin/pkg/admission/storage/persistentvolume/resize).
 */
export class PersistentVolumeClaimResize implements AdmissionPlugin {
  readonly name = 'PersistentVolumeClaimResize';
  readonly #classes: ObjectLister;

  constructor(caches: ObjectCaches) {
    this.#classes = new ObjectLister(caches, 'storage.k8s.io', 'storageclasses');
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation === 'UPDATE' && isClaims(resource);
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { object, oldObject, subresource } = attributes;
    if (object === undefined || oldObject === undefined || subresource !== '') return;
    if (compareQuantities(sizeOf(object), sizeOf(oldObject)) <= 0) return;
    if (stringAt(oldObject, 'status', 'phase') !== 'Bound')
      throw refuseAdmission(attributes, 'Only bound persistent volume claims can be expanded');
    if (await this.#allows(object, oldObject)) return;
    throw refuseAdmission(
      attributes,
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  }

  async #allows(claim: KubeObject, old: KubeObject): Promise<boolean> {
    const name = claimClass(claim);
    if (name === '' || name !== claimClass(old)) return false;
    return booleanAt(await this.#classes.get('', name), 'allowVolumeExpansion') ?? false;
  }
}

function sizeOf(claim: KubeObject): Quantity {
  return parseQuantity(stringAt(claim, 'spec', 'resources', 'requests', 'storage') || '0');
}
