import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isPods } from '#shared/admission/contract/attribute-match.ts';
import type { AccessAnswer, AccessQuestion, Authorize } from '#shared/admission/contract/authorize.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import { sameAs } from '#shared/api/same-by-type.ts';
import type { GroupResource, GroupVersionResource } from '#shared/apimachinery/gvk.ts';
import { parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import type { KubeObject, OwnerReference } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';

/** The resource that serves a kind; undefined for a kind that this server does not know. */
export type ResourceOfKind = (
  group: string,
  version: string,
  kind: string,
) => (GroupVersionResource & { readonly namespaced: boolean }) | undefined;

/**
 * To set owners, a user needs permission to delete the object; to block the deletion of an owner, permission to change
 * the owner's finalizers (plugin/pkg/admission/gc).
 */
export class OwnerReferencesPermissionEnforcement implements AdmissionPlugin {
  readonly name = 'OwnerReferencesPermissionEnforcement';
  readonly #authorize: Authorize;
  readonly #resourceOf: ResourceOfKind;

  constructor(authorize: Authorize, resourceOf: ResourceOfKind) {
    this.#authorize = authorize;
    this.#resourceOf = resourceOf;
  }

  handles(operation: AdmissionOperation, _resource: GroupResource): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  validate(attributes: AdmissionAttributes): void | Promise<void> {
    const { object, oldObject, resource, subresource } = attributes;
    if (object === undefined || (isPods(resource) && subresource === 'status')) return;
    const [owners, before] = [ownersOf(object), ownersOf(oldObject)];
    if (
      owners.length === before.length &&
      owners.every((owner, index) =>
        sameAs('io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference', owner, before[index]),
      )
    )
      return;
    return this.#judge(attributes, owners, before);
  }

  async #judge(
    attributes: AdmissionAttributes,
    owners: readonly OwnerReference[],
    before: readonly OwnerReference[],
  ): Promise<void> {
    const { namespace, resource, subresource, name, user } = attributes;
    if (attributes.operation !== 'CREATE') {
      const answer = await this.#authorize(user, { verb: 'delete', ...resource, subresource, namespace, name });
      if (!answer.allowed)
        throw refuseAdmission(attributes, `cannot set an ownerRef on a resource you can't delete: ${explain(answer)}`);
    }
    const wasBlocking = new Set(before.filter((owner) => owner.blockOwnerDeletion === true).map((owner) => owner.uid));
    const blocking = owners.filter((owner) => owner.blockOwnerDeletion === true && !wasBlocking.has(owner.uid));
    if (blocking.length === 0) return;
    const anything: AccessQuestion = {
      verb: 'update',
      group: '*',
      version: '*',
      resource: '*',
      subresource: 'finalizers',
      name: '*',
    };
    if ((await this.#authorize(user, anything)).allowed) return;
    for (const owner of blocking) {
      const answer = await this.#authorize(user, this.#questionOf(attributes, owner));
      if (!answer.allowed)
        throw refuseAdmission(
          attributes,
          `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${explain(answer)}`,
        );
    }
  }

  #questionOf(attributes: AdmissionAttributes, { apiVersion, kind, name }: OwnerReference): AccessQuestion {
    const { group, version } = parseGroupVersion(apiVersion);
    const found = this.#resourceOf(group, version, kind);
    if (found === undefined) {
      throw refuseAdmission(
        attributes,
        `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: no matches for kind ${goQuote(kind)} in version ${goQuote(apiVersion)}`,
      );
    }
    return {
      verb: 'update',
      group,
      version,
      resource: found.resource,
      subresource: 'finalizers',
      namespace: found.namespaced ? attributes.namespace : '',
      name,
    };
  }
}

function ownersOf(object: KubeObject | undefined): readonly OwnerReference[] {
  return object?.metadata?.ownerReferences ?? [];
}

/** A reason and an error as Go prints them; the error may be nil. */
function explain({ reason, error }: AccessAnswer): string {
  return `${reason}, ${error ?? '<nil>'}`;
}
