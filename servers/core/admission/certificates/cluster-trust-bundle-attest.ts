import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import type { Authorize } from '#shared/admission/contract/authorize.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import { sameButForGarbageCollection } from '#shared/api/same-by-type.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { mayForSigner } from './signer-access.ts';

/** To write a signer's trust bundle, a user needs permission for it (plugin/pkg/admission/certificates/ctbattest). */
export class ClusterTrustBundleAttest implements AdmissionPlugin {
  readonly name = 'ClusterTrustBundleAttest';
  readonly #authorize: Authorize;

  constructor(authorize: Authorize) {
    this.#authorize = authorize;
  }

  handles(operation: AdmissionOperation, { group, resource }: GroupResource): boolean {
    return (
      (operation === 'CREATE' || operation === 'UPDATE') &&
      group === 'certificates.k8s.io' &&
      resource === 'clustertrustbundles'
    );
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { object, oldObject } = attributes;
    // The strategy has already refused an update that changes the signer.
    const signer = stringAt(object, 'spec', 'signerName');
    if (signer === '') return;
    if (
      object !== undefined &&
      oldObject !== undefined &&
      sameButForGarbageCollection('io.k8s.api.certificates.v1beta1.ClusterTrustBundle', object, oldObject)
    )
      return;
    if (await mayForSigner(this.#authorize, attributes.user, 'attest', signer)) return;
    throw refuseAdmission(attributes, `user not permitted to attest for signerName ${goQuote(signer)}`);
  }
}
