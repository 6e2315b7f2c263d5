import { requestSubject } from '#servers/core/admission/certificates/signing-request-subject.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import type { Authorize } from '#shared/admission/contract/authorize.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import { sameAs, sameMembers } from '#shared/api/same-by-type.ts';
import { newNotFound } from '#shared/apimachinery/errors/status.ts';
import { formatGroupResource, type GroupResource } from '#shared/apimachinery/gvk.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { objectAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { nodeIdentity } from '#shared/objects/node-identity.ts';
import { forbiddenLabelChanges } from './node-labels.ts';
import { checkNodePod } from './node-pod-rules.ts';
import { checkPodCertificateRequest, type CertificateObjects } from './pod-certificate-rules.ts';
import { podNamesAudience, type AudienceObjects } from './token-audience.ts';

type Rule = (nodeName: string, attributes: AdmissionAttributes) => void | Promise<void>;

/**
 * A kubelet may write only its own objects: its node, lease and CSINode, its pods and the objects that belong to them
 * (plugin/pkg/admission/noderestriction).
 */
export class NodeRestriction implements AdmissionPlugin {
  readonly name = 'NodeRestriction';
  readonly #objects: CertificateObjects;
  readonly #audiences: AudienceObjects;
  readonly #authorize: Authorize;
  readonly #restrictsAudiences: boolean;
  readonly #rules: ReadonlyMap<string, Rule>;

  /** @param restrictsAudiences the gate ServiceAccountNodeAudienceRestriction */
  constructor(caches: ObjectCaches, authorize: Authorize, restrictsAudiences = true) {
    this.#authorize = authorize;
    this.#restrictsAudiences = restrictsAudiences;
    this.#objects = {
      pods: new ObjectLister(caches, '', 'pods'),
      nodes: new ObjectLister(caches, '', 'nodes', 'minions'),
      accounts: new ObjectLister(caches, '', 'serviceaccounts'),
    };
    this.#audiences = {
      claims: new ObjectLister(caches, '', 'persistentvolumeclaims'),
      volumes: new ObjectLister(caches, '', 'persistentvolumes'),
      drivers: new ObjectLister(caches, 'storage.k8s.io', 'csidrivers'),
    };
    this.#rules = new Map<string, Rule>([
      ['pods', (nodeName, attributes) => checkNodePod(this.#objects, nodeName, attributes)],
      ['nodes', checkNode],
      ['persistentvolumeclaims', checkClaim],
      ['serviceaccounts', (nodeName, attributes) => this.#checkToken(nodeName, attributes)],
      [
        'podcertificaterequests.certificates.k8s.io',
        (nodeName, attributes) => checkPodCertificateRequest(this.#objects, nodeName, attributes),
      ],
      ['leases.coordination.k8s.io', checkLease],
      ['csinodes.storage.k8s.io', checkCSINode],
      ['resourceslices.resource.k8s.io', checkSlice],
      ['certificatesigningrequests.certificates.k8s.io', checkSigningRequest],
    ]);
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation !== 'CONNECT' && this.#rules.has(formatGroupResource(resource));
  }

  admit(attributes: AdmissionAttributes): void | Promise<void> {
    const nodeName = nodeIdentity(attributes.user);
    if (nodeName === undefined) return;
    if (nodeName === '') refuse(attributes, `could not determine node from user ${goQuote(attributes.user.name)}`);
    return this.#rules.get(formatGroupResource(attributes.resource))?.(nodeName, attributes);
  }

  /** A kubelet may request tokens only for pods on its node, and only for audiences that these pods name. */
  async #checkToken(nodeName: string, attributes: AdmissionAttributes): Promise<void> {
    const { object, operation, subresource, namespace } = attributes;
    if (operation !== 'CREATE' || subresource !== 'token') return;
    const bound = objectAt(object, 'spec', 'boundObjectRef');
    const podName = stringAt(bound, 'name');
    if (stringAt(bound, 'apiVersion') !== 'v1' || stringAt(bound, 'kind') !== 'Pod' || podName === '')
      refuse(attributes, 'node requested token not bound to a pod');
    const uid = stringAt(bound, 'uid');
    if (uid === '') refuse(attributes, 'node requested token with a pod binding without a uid');
    const pod = await this.#objects.pods.getFresh(namespace, podName);
    if (pod === undefined) throw newNotFound({ group: '', resource: 'pods' }, podName);
    if (uid !== pod.metadata.uid)
      refuse(
        attributes,
        `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
      );
    if (stringAt(pod, 'spec', 'nodeName') !== nodeName)
      refuse(attributes, 'node requested token bound to a pod scheduled on a different node');
    if (this.#restrictsAudiences) await this.#checkAudience(pod, attributes);
  }

  async #checkAudience(pod: KubeObject, attributes: AdmissionAttributes): Promise<void> {
    const { object, namespace, name, user } = attributes;
    const audiences = stringsAt(object, 'spec', 'audiences');
    if (audiences.length > 1) refuse(attributes, 'node may only request 0 or 1 audiences');
    const [audience = ''] = audiences;
    const isNamed = await podNamesAudience(this.#audiences, pod, audience).catch((error: Error) =>
      refuse(attributes, `error validating audience ${goQuote(audience)}: ${error.message}`),
    );
    if (isNamed) return;
    const { allowed } = await this.#authorize(user, {
      verb: 'request-serviceaccounts-token-audience',
      group: '',
      version: 'v1',
      resource: audience,
      namespace,
      name,
    });
    if (!allowed)
      refuse(
        attributes,
        `audience ${goQuote(audience)} not found in pod spec volume, ${user.name} is not authorized to request tokens for this audience`,
      );
  }
}

function refuse(attributes: AdmissionAttributes, message: string): never {
  throw refuseAdmission(attributes, message);
}

function checkNode(nodeName: string, attributes: AdmissionAttributes): void {
  const { operation, object: node, oldObject: old, name } = attributes;
  const quoted = goQuote(nodeName);
  if (name !== nodeName) refuse(attributes, `node ${quoted} is not allowed to modify node ${goQuote(name)}`);
  if (node === undefined) return;
  const source = objectAt(node, 'spec', 'configSource');
  if (operation === 'CREATE') {
    if (source !== undefined)
      refuse(attributes, `node ${quoted} is not allowed to create pods with a non-nil configSource`);
    const labels = forbiddenLabelChanges(node, undefined);
    if (labels.length > 0)
      refuse(attributes, `node ${quoted} is not allowed to set the following labels: ${labels.join(', ')}`);
  }
  if (operation !== 'UPDATE') return;
  if (
    source !== undefined &&
    !sameAs('io.k8s.api.core.v1.NodeConfigSource', source, objectAt(old, 'spec', 'configSource'))
  )
    refuse(attributes, `node ${quoted} is not allowed to update configSource to a new non-nil configSource`);
  if (!sameMembers('io.k8s.api.core.v1.NodeSpec', ['taints'], objectAt(node, 'spec'), objectAt(old, 'spec')))
    refuse(attributes, `node ${quoted} is not allowed to modify taints`);
  if (
    !sameMembers('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', ['ownerReferences'], node.metadata, old?.metadata)
  )
    refuse(attributes, `node ${quoted} is not allowed to modify ownerReferences`);
  const labels = forbiddenLabelChanges(node, old);
  if (labels.length > 0) refuse(attributes, `is not allowed to modify labels: ${labels.join(', ')}`);
}

/** A node may change only the fields of a claim's status that the expansion of a volume changes. */
function checkClaim(nodeName: string, attributes: AdmissionAttributes): void {
  const { operation, object, oldObject, subresource } = attributes;
  if (subresource !== 'status') refuse(attributes, 'may only update PVC status');
  if (operation !== 'UPDATE' || object === undefined || oldObject === undefined)
    refuse(attributes, `unexpected operation ${goQuote(operation)}`);
  if (!sameAs('io.k8s.api.core.v1.PersistentVolumeClaim', withoutExpansion(object), withoutExpansion(oldObject))) {
    refuse(
      attributes,
      `node ${goQuote(nodeName)} is not allowed to update fields other than status.quantity and status.conditions`,
    );
  }
}

function withoutExpansion(claim: KubeObject): KubeObject {
  const copy = cloneJson(claim);
  delete copy.metadata.resourceVersion;
  delete copy.metadata.managedFields;
  const status = objectAt(copy, 'status') ?? {};
  for (const field of ['capacity', 'conditions', 'allocatedResourceStatuses', 'allocatedResources'])
    delete status[field];
  return copy;
}

function checkLease(nodeName: string, attributes: AdmissionAttributes): void {
  if (attributes.namespace !== 'kube-node-lease')
    refuse(attributes, 'can only access leases in the "kube-node-lease" system namespace');
  if (nameIn(attributes) !== nodeName)
    refuse(attributes, 'can only access node lease with the same name as the requesting node');
}

function checkCSINode(nodeName: string, attributes: AdmissionAttributes): void {
  if (nameIn(attributes) !== nodeName)
    refuse(attributes, 'can only access CSINode with the same name as the requesting node');
}

function nameIn({ operation, object, name }: AdmissionAttributes): string {
  return operation === 'CREATE' ? (object?.metadata.name ?? '') : name;
}

function checkSlice(nodeName: string, attributes: AdmissionAttributes): void {
  const { operation, object, oldObject } = attributes;
  if (operation === 'CREATE' && stringAt(object, 'spec', 'nodeName') !== nodeName)
    refuse(attributes, 'can only create ResourceSlice with the same NodeName as the requesting node');
  if (operation === 'DELETE' && stringAt(oldObject, 'spec', 'nodeName') !== nodeName)
    refuse(attributes, 'can only delete ResourceSlice with the same NodeName as the requesting node');
}

const kubeletSigners: ReadonlySet<string> = new Set([
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/kube-apiserver-client-kubelet',
]);

function checkSigningRequest(nodeName: string, attributes: AdmissionAttributes): void {
  const { operation, object } = attributes;
  if (operation !== 'CREATE' || !kubeletSigners.has(stringAt(object, 'spec', 'signerName'))) return;
  const subject = requestSubject(stringAt(object, 'spec', 'request'));
  if (typeof subject === 'string') refuse(attributes, `unable to parse csr: ${subject}`);
  if (subject.commonName !== `system:node:${nodeName}`)
    refuse(attributes, `can only create a node CSR with CN=system:node:${nodeName}`);
}
