import { defaultClass } from '#servers/core/admission/contract/default-class.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isClaims } from '#shared/admission/contract/attribute-match.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';
import { storageClassAnnotation } from '#shared/objects/claim-class.ts';

/** Sets the default class of claims that name none (plugin/pkg/admission/storage/storageclass/setdefault). */
export class DefaultStorageClass implements AdmissionPlugin {
  readonly name = 'DefaultStorageClass';
  readonly #classes: ObjectLister;

  constructor(caches: ObjectCaches) {
    this.#classes = new ObjectLister(caches, 'storage.k8s.io', 'storageclasses');
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation === 'CREATE' && isClaims(resource);
  }

  async admit({ object: claim, subresource }: AdmissionAttributes): Promise<void> {
    if (claim === undefined || subresource !== '') return;
    if (
      objectAt(claim.metadata, 'annotations')?.[storageClassAnnotation] !== undefined ||
      objectAt(claim, 'spec')?.['storageClassName'] !== undefined
    )
      return;
    if (!this.#classes.isReady()) await this.#classes.ready();
    const name = defaultClass(
      this.#classes.list(),
      'storageclass.kubernetes.io/is-default-class',
      'storageclass.beta.kubernetes.io/is-default-class',
    )?.metadata.name;
    if (name !== undefined) ensureObject(claim, 'spec')['storageClassName'] = name;
  }
}
