import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import type { Request, Series } from './series.ts';

const matchConstraints = { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }] };

/** Objects with a status, by group version and resource. */
const objects: readonly (readonly [apiVersion: string, resource: string, kind: string, isNamespaced: boolean, content: JsonObject])[] = [
  ['admissionregistration.k8s.io/v1', 'validatingadmissionpolicies', 'ValidatingAdmissionPolicy', false, { spec: { matchConstraints, validations: [{ expression: 'true' }] } }],
  ['networking.k8s.io/v1', 'servicecidrs', 'ServiceCIDR', false, { spec: { cidrs: ['10.77.0.0/24'] } }],
  ['resource.k8s.io/v1', 'resourceclaims', 'ResourceClaim', true, { spec: { devices: {} } }],
  ['storage.k8s.io/v1', 'volumeattachments', 'VolumeAttachment', false, { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'p' } } }],
  ['flowcontrol.apiserver.k8s.io/v1', 'prioritylevelconfigurations', 'PriorityLevelConfiguration', false, { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } }],
  ['policy/v1', 'poddisruptionbudgets', 'PodDisruptionBudget', true, { spec: { minAvailable: 1, selector: {} } }],
];

/** What a write of the status does with the rest of the metadata. */
export const statusMetadataSeries: readonly Series[] = objects.map(([apiVersion, resource, kind, isNamespaced, content]) => ({
  name: `metadata in writes of the status: ${kind}`,
  requests: (run): readonly Request[] => {
    const path = `/apis/${apiVersion}${isNamespaced ? '/namespaces/default' : ''}/${resource}`;
    const metadata = { labels: { a: 'b' }, annotations: { a: 'b' }, finalizers: ['example.com/a'], ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u' }] };
    const patch = (part: string, body: JsonObject): Request => ({ method: 'PATCH', path: `${path}/${run}${part}`, body });
    return [
      { method: 'POST', path, body: { apiVersion, kind, metadata: { name: run }, ...content } }, patch('/status', { metadata }), patch('', { metadata }),
      patch('/status', { metadata: { labels: { a: 'c', d: 'e' }, annotations: null, finalizers: null, ownerReferences: null } }), patch('', { metadata: { finalizers: null } }), { method: 'DELETE', path: `${path}/${run}` },
    ];
  },
}));
