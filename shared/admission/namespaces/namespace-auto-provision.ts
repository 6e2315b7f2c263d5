import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isCore } from '#shared/admission/contract/attribute-match.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import { hasReason, toStatus } from '#shared/apimachinery/errors/status.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';

/** Creates a namespace; throws AlreadyExists. */
export type CreateNamespace = (name: string) => Promise<void>;

/** Creates a missing namespace when an object is created in it (plugin/pkg/admission/namespace/autoprovision). */
export class NamespaceAutoProvision implements AdmissionPlugin {
  readonly name = 'NamespaceAutoProvision';
  readonly #namespaces: ObjectLister;
  readonly #create: CreateNamespace;

  constructor(caches: ObjectCaches, create: CreateNamespace) {
    this.#namespaces = new ObjectLister(caches, '', 'namespaces');
    this.#create = create;
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation === 'CREATE' && !isCore(resource, 'namespaces');
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    const { namespace, dryRun } = attributes;
    if (dryRun || namespace === '' || (await this.#namespaces.get('', namespace)) !== undefined) return;
    try {
      await this.#create(namespace);
    } catch (error) {
      if (hasReason(error, 'AlreadyExists')) return;
      throw hasReason(error, 'Forbidden') ? error : refuseAdmission(attributes, toStatus(error).message ?? '');
    }
  }
}
