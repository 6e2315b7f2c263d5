import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import type { AuthorizeAccess } from '#shared/admission/contract/authorize.ts';
import type { ObjectLister } from '#shared/admission/contract/object-lister.ts';
import type { ResourceMatch } from '#shared/admission/contract/object-versions.ts';
import { matchRequest } from '#shared/admission/matching/match-request.ts';
import { RequestNamespace } from '#shared/admission/matching/request-namespace.ts';
import { RequestVersions } from '#shared/admission/matching/request-versions.ts';
import { newForbidden } from '#shared/apimachinery/errors/status.ts';
import { inRequestSlices } from '#shared/request/in-request-slices.ts';
import type { AdmissionWebhook } from './admission-webhook.ts';

/** Decides for one request which webhooks are called. */
export class WebhookMatcher {
  readonly versions: RequestVersions;
  readonly #attributes: AdmissionAttributes;
  readonly #namespace: RequestNamespace;
  readonly #authorize: AuthorizeAccess;

  constructor(attributes: AdmissionAttributes, namespaces: ObjectLister, authorize: AuthorizeAccess) {
    this.versions = new RequestVersions(attributes);
    this.#attributes = attributes;
    this.#namespace = new RequestNamespace(namespaces, attributes);
    this.#authorize = authorize;
  }

  /**
   * The resource and kind with which the webhook is called; undefined if it is not called.
   * @throws StatusError 403 if its match conditions cannot be evaluated and its failure policy is Fail
   */
  async match({ criteria, conditions }: AdmissionWebhook): Promise<ResourceMatch | undefined> {
    const match = await matchRequest(criteria, this.#attributes, this.#namespace);
    if (match === undefined || conditions === undefined) return match;
    const versioned = await inRequestSlices(this.versions.of(match.kind));
    const outcome = await inRequestSlices(conditions(versioned, this.#authorize));
    if ('error' in outcome) {
      const { resource, name } = this.#attributes;
      throw newForbidden({ group: resource.group, resource: resource.resource }, name, outcome.error);
    }
    return outcome.matches ? match : undefined;
  }
}
