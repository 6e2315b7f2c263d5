import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isCore } from '#shared/admission/contract/attribute-match.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { missingNamespace } from './missing-namespace.ts';

/** Refuses writes and deletions in a namespace that does not exist (plugin/pkg/admission/namespace/exists). */
export class NamespaceExists implements AdmissionPlugin {
  readonly name = 'NamespaceExists';
  readonly #namespaces: ObjectLister;

  constructor(caches: ObjectCaches) {
    this.#namespaces = new ObjectLister(caches, '', 'namespaces');
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation !== 'CONNECT' && !isCore(resource, 'namespaces');
  }

  async validate({ namespace }: AdmissionAttributes): Promise<void> {
    if (namespace === '' || (await this.#namespaces.getFresh('', namespace)) !== undefined) return;
    throw missingNamespace(namespace);
  }
}
