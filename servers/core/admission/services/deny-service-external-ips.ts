import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isCore } from '#shared/admission/contract/attribute-match.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { stringsAt } from '#shared/apimachinery/object.ts';

/** Refuses new external addresses of Services (plugin/pkg/admission/network/denyserviceexternalips). */
export class DenyServiceExternalIPs implements AdmissionPlugin {
  readonly name = 'DenyServiceExternalIPs';

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return isCore(resource, 'services') && (operation === 'CREATE' || operation === 'UPDATE');
  }

  validate(attributes: AdmissionAttributes): void {
    const { object, oldObject, subresource } = attributes;
    if (object === undefined || subresource !== '') return;
    const before = new Set(stringsAt(oldObject, 'spec', 'externalIPs'));
    if (stringsAt(object, 'spec', 'externalIPs').some((address) => !before.has(address)))
      throw refuseAdmission(attributes, 'Use of external IPs is denied by admission control');
  }
}
