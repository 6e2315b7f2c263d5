import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isSigningRequests } from '#shared/admission/contract/attribute-match.ts';
import type { Authorize } from '#shared/admission/contract/authorize.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { mayForSigner } from './signer-access.ts';

/** To approve a request, a user needs permission for its signer (plugin/pkg/admission/certificates/approval). */
export class CertificateApproval implements AdmissionPlugin {
  readonly name = 'CertificateApproval';
  readonly #authorize: Authorize;

  constructor(authorize: Authorize) {
    this.#authorize = authorize;
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation === 'UPDATE' && isSigningRequests(resource);
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    if (attributes.subresource !== 'approval') return;
    const signer = stringAt(attributes.oldObject, 'spec', 'signerName');
    if (await mayForSigner(this.#authorize, attributes.user, 'approve', signer)) return;
    throw refuseAdmission(attributes, `user not permitted to approve requests with signerName ${goQuote(signer)}`);
  }
}
