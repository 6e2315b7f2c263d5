import type { GroupResource } from '../../apimachinery/gvk.ts';
import { objectAt } from '../../apimachinery/object.ts';
import { ensureObject } from '../../apimachinery/set-default.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '../admission.ts';
import { isClaims } from '../attribute-match.ts';
import { defaultClass } from '../default-class.ts';
import { ObjectLister, type ObjectCaches } from '../object-lister.ts';

/** The class of a claim before there was a field for it. */
export const storageClassAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** Claims that name no class get the default one (plugin/pkg/admission/storage/storageclass/setdefault). */
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
    if (objectAt(claim.metadata, 'annotations')?.[storageClassAnnotation] !== undefined || objectAt(claim, 'spec')?.['storageClassName'] !== undefined) return;
    if (!this.#classes.isReady()) await this.#classes.ready();
    const name = defaultClass(this.#classes.list(), 'storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class')?.metadata.name;
    if (name !== undefined) ensureObject(claim, 'spec')['storageClassName'] = name;
  }
}
