import { defaultClass } from '#servers/core/admission/contract/default-class.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';

/** Sets the default class of Ingresses that name none (plugin/pkg/admission/network/defaultingressclass). */
export class DefaultIngressClass implements AdmissionPlugin {
  readonly name = 'DefaultIngressClass';
  readonly #classes: ObjectLister;

  constructor(caches: ObjectCaches) {
    this.#classes = new ObjectLister(caches, 'networking.k8s.io', 'ingressclasses');
  }

  handles(operation: AdmissionOperation, { group, resource }: GroupResource): boolean {
    return operation === 'CREATE' && group === 'networking.k8s.io' && resource === 'ingresses';
  }

  async admit({ object: ingress, subresource }: AdmissionAttributes): Promise<void> {
    if (ingress === undefined || subresource !== '') return;
    if (
      objectAt(ingress, 'spec')?.['ingressClassName'] !== undefined ||
      objectAt(ingress.metadata, 'annotations')?.['kubernetes.io/ingress.class'] !== undefined
    )
      return;
    if (!this.#classes.isReady()) await this.#classes.ready();
    const name = defaultClass(this.#classes.list(), 'ingressclass.kubernetes.io/is-default-class')?.metadata.name;
    if (name !== undefined) ensureObject(ingress, 'spec')['ingressClassName'] = name;
  }
}
