import type { GroupResource } from '../../apimachinery/gvk.ts';
import { stringAt } from '../../apimachinery/object.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '../admission.ts';
import { isSigningRequests } from '../attribute-match.ts';
import { refuseAdmission } from '../refusal.ts';

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
    const organizations = await organizationsOf(stringAt(object, 'spec', 'request')).catch((error: unknown) => {
      throw refuseAdmission(attributes, `failed to parse CSR: ${error instanceof Error ? error.message : String(error)}`);
    });
    if (organizations.includes('system:masters')) throw refuseAdmission(attributes, `use of ${clientSigner} signer with system:masters group is not allowed`);
  }
}

/** `request`: the PEM text in base64, as the field holds it. */
async function organizationsOf(request: string): Promise<readonly string[]> {
  const text = Buffer.from(request, 'base64').toString('utf8');
  if (!text.includes('-----BEGIN CERTIFICATE REQUEST-----')) throw new Error('PEM block type must be CERTIFICATE REQUEST');
  // Few requests come, and the library is large.
  await import('reflect-metadata');
  const { Pkcs10CertificateRequest } = await import('@peculiar/x509');
  return new Pkcs10CertificateRequest(text).subjectName.getField('O');
}
