import type { GroupResource } from '../../apimachinery/gvk.ts';
import { newNotFound } from '../../apimachinery/status.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '../contract/admission.ts';
import { isCore } from '../contract/attribute-match.ts';
import { ObjectLister, type ObjectCaches } from '../contract/object-lister.ts';

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
    throw newNotFound({ group: '', resource: 'namespaces' }, namespace);
  }
}
