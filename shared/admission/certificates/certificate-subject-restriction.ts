import type { GroupResource } from '../../apimachinery/gvk.ts';
import { stringAt } from '../../apimachinery/object.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '../admission.ts';
import { isSigningRequests } from '../attribute-match.ts';
import { refuseAdmission } from '../refusal.ts';
import { requestSubject } from './signing-request-subject.ts';

const clientSigner = 'kubernetes.io/kube-apiserver-client';

/** Nobody requests a certificate of the group that may do everything (plugin/pkg/admission/certificates/subjectrestriction). */
export class CertificateSubjectRestriction implements AdmissionPlugin {
  readonly name = 'CertificateSubjectRestriction';

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation === 'CREATE' && isSigningRequests(resource);
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { object, subresource } = attributes;
    if (subresource !== '' || stringAt(object, 'spec', 'signerName') !== clientSigner) return;
    const { organizations } = await requestSubject(stringAt(object, 'spec', 'request')).catch((error: unknown) => {
      throw refuseAdmission(attributes, `failed to parse CSR: ${error instanceof Error ? error.message : String(error)}`);
    });
    if (organizations.includes('system:masters')) throw refuseAdmission(attributes, `use of ${clientSigner} signer with system:masters group is not allowed`);
  }
}
