import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isSigningRequests } from '#shared/admission/contract/attribute-match.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { requestSubject } from './signing-request-subject.ts';

const clientSigner = 'kubernetes.io/kube-apiserver-client';

/**
 * Refuses requests for a certificate of the group that is authorized for everything
 * (plugin/pkg/admission/certificates/subjectrestriction).
 */
export class CertificateSubjectRestriction implements AdmissionPlugin {
  readonly name = 'CertificateSubjectRestriction';

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation === 'CREATE' && isSigningRequests(resource);
  }

  validate(attributes: AdmissionAttributes): void {
    const { object, subresource } = attributes;
    if (subresource !== '' || stringAt(object, 'spec', 'signerName') !== clientSigner) return;
    const subject = requestSubject(stringAt(object, 'spec', 'request'));
    if (typeof subject === 'string') throw refuseAdmission(attributes, `failed to parse CSR: ${subject}`);
    if (subject.organizations.includes('system:masters'))
      throw refuseAdmission(attributes, `use of ${clientSigner} signer with system:masters group is not allowed`);
  }
}
