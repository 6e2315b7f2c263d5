import { getKey } from '../../shared/apimachinery/json.ts';
import type { ResetFields } from '../../shared/registry/field-management/reset-fields.ts';

// Facts read off GetResetFields of pkg/registry/<group>/<resource>/strategy.go, by `group/resource`, where they are not the
// usual ones (a write of the object leaves the status alone, one of the status the spec).

/** A write of the status leaves the metadata alone, too. */
const statusOnly: ResetFields = { '': [['status']], status: [['metadata'], ['spec']] };

const exceptions: Readonly<Record<string, ResetFields>> = {
  '/namespaces': { '': [['status']], status: [['spec']], finalize: [['status']] },
  // Strategies of two more pod subresources name theirs, too, but no store of the reference asks them.
  '/pods': { '': [['status']], status: [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']] },
  'admissionregistration.k8s.io/validatingadmissionpolicies': statusOnly,
  'apps/deployments': { '': [['status']], status: [['spec'], ['metadata', 'labels']] },
  'certificates.k8s.io/certificatesigningrequests': {
    '': [['spec'], ['status']], status: [['spec'], ['status', 'conditions']], approval: [['spec'], ['status', 'certificate']],
  },
  'certificates.k8s.io/podcertificaterequests': { status: [['spec']] },
  'flowcontrol.apiserver.k8s.io/flowschemas': statusOnly,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': statusOnly,
  'internal.apiserver.k8s.io/storageversions': statusOnly,
  'networking.k8s.io/servicecidrs': statusOnly,
  'resource.k8s.io/devicetaintrules': statusOnly,
  'resource.k8s.io/resourceclaims': statusOnly,
  'resource.k8s.io/resourcepoolstatusrequests': statusOnly,
  // Its strategy names the status, too, but the store of the whole object does not ask it.
  'scheduling.k8s.io/podgroups': { status: [['metadata'], ['spec']] },
  'storage.k8s.io/volumeattachments': statusOnly,
  'storagemigration.k8s.io/storageversionmigrations': statusOnly,
};

/** What nobody comes to own by a write of the resource; undefined where it is the usual. */
export function resetFieldsOfResource(group: string, resource: string): ResetFields | undefined {
  return getKey(exceptions, `${group}/${resource}`);
}
