import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isSigningRequests } from '#shared/admission/contract/attribute-match.ts';
import type { Authorize } from '#shared/admission/contract/authorize.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import { sameMembers } from '#shared/api/same-by-type.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { objectAt, stringAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { mayForSigner } from './signer-access.ts';

/** To issue a certificate, a user needs permission for its signer (plugin/pkg/admission/certificates/signing). */
export class CertificateSigning implements AdmissionPlugin {
  readonly name = 'CertificateSigning';
  readonly #authorize: Authorize;

  constructor(authorize: Authorize) {
    this.#authorize = authorize;
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation === 'UPDATE' && isSigningRequests(resource);
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { object, oldObject, subresource } = attributes;
    if (subresource !== 'status') return;
    const sameCertificate = stringAt(object, 'status', 'certificate') === stringAt(oldObject, 'status', 'certificate');
    if (
      sameCertificate &&
      sameMembers(
        'io.k8s.api.certificates.v1.CertificateSigningRequestStatus',
        ['conditions'],
        objectAt(object, 'status'),
        objectAt(oldObject, 'status'),
      )
    )
      return;
    const signer = stringAt(oldObject, 'spec', 'signerName');
    if (await mayForSigner(this.#authorize, attributes.user, 'sign', signer)) return;
    throw refuseAdmission(attributes, `user not permitted to sign requests with signerName ${goQuote(signer)}`);
  }
}
