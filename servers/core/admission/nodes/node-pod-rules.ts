import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import type { ObjectLister } from '#shared/admission/contract/object-lister.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import { sameMembers } from '#shared/api/same-by-type.ts';
import { newNotFound } from '#shared/apimachinery/errors/status.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { semanticEqual } from '#shared/apimachinery/schema/deep-equal.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { isMirrorPod, mirrorPodAnnotation, podSpec } from '#shared/objects/pod-spec.ts';
import { referencedObjects } from './mirror-pod-references.ts';

/** Where the rules look up objects. */
export interface NodeObjects {
  readonly pods: ObjectLister;
  readonly nodes: ObjectLister;
}

/** A kubelet may create mirror pods, and delete, evict and write the status of pods on its own node. */
export async function checkNodePod(
  objects: NodeObjects,
  nodeName: string,
  attributes: AdmissionAttributes,
): Promise<void> {
  const { subresource, operation } = attributes;
  if (subresource === 'status') return checkPodStatus(nodeName, attributes);
  if (subresource === 'eviction') return checkEviction(objects, nodeName, attributes);
  if (subresource !== '')
    throw refuseAdmission(
      attributes,
      `unexpected pod subresource ${goQuote(subresource)}, only 'status' and 'eviction' are allowed`,
    );
  if (operation === 'CREATE') return checkMirrorPod(objects, nodeName, attributes);
  if (operation !== 'DELETE')
    throw refuseAdmission(
      attributes,
      `unexpected operation ${goQuote(operation)}, node ${goQuote(nodeName)} can only create and delete mirror pods`,
    );
  if ((await runsOn(objects, attributes, attributes.name)) !== nodeName)
    throw refuseAdmission(
      attributes,
      `node ${goQuote(nodeName)} can only delete pods with spec.nodeName set to itself`,
    );
}

async function runsOn({ pods }: NodeObjects, { namespace }: AdmissionAttributes, name: string): Promise<string> {
  const pod = await pods.getFresh(namespace, name);
  if (pod === undefined) throw newNotFound({ group: '', resource: 'pods' }, name);
  return stringAt(pod, 'spec', 'nodeName');
}

async function checkMirrorPod(
  { nodes }: NodeObjects,
  nodeName: string,
  attributes: AdmissionAttributes,
): Promise<void> {
  const { object: pod } = attributes;
  if (pod === undefined) return;
  const node = goQuote(nodeName);
  if (!isMirrorPod(pod))
    throw refuseAdmission(
      attributes,
      `pod does not have ${goQuote(mirrorPodAnnotation)} annotation, node ${node} can only create mirror pods`,
    );
  if (stringAt(podSpec(pod), 'nodeName') !== nodeName)
    throw refuseAdmission(attributes, `node ${node} can only create pods with spec.nodeName set to itself`);
  const wrong = wrongOwner(pod, nodeName);
  if (wrong !== undefined) throw refuseAdmission(attributes, wrong);
  const stored = await nodes.getFresh('', nodeName);
  if (stored === undefined) throw newNotFound({ group: '', resource: 'nodes' }, nodeName);
  const uid = pod.metadata.ownerReferences?.[0]?.uid ?? '';
  if (uid !== stored.metadata.uid)
    throw refuseAdmission(
      attributes,
      `node ${nodeName} UID mismatch: expected ${uid} got ${stored.metadata.uid ?? ''}`,
    );
  const referenced = referencedObjects(podSpec(pod));
  if (referenced !== undefined)
    throw refuseAdmission(attributes, `node ${node} can not create pods that reference ${referenced}`);
}

function wrongOwner(pod: KubeObject, nodeName: string): string | undefined {
  const node = goQuote(nodeName);
  const [owner, second] = pod.metadata.ownerReferences ?? [];
  if (second !== undefined) return `node ${node} can only create pods with a single owner reference set to itself`;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== nodeName)
    return `node ${node} can only create pods with an owner reference set to itself`;
  if (owner.controller !== true)
    return `node ${node} can only create pods with a controller owner reference set to itself`;
  return owner.blockOwnerDeletion === true
    ? `node ${node} must not set blockOwnerDeletion on an owner reference`
    : undefined;
}

function checkPodStatus(nodeName: string, attributes: AdmissionAttributes): void {
  const { operation, object, oldObject } = attributes;
  if (operation !== 'UPDATE' || object === undefined || oldObject === undefined)
    throw refuseAdmission(attributes, `unexpected operation ${goQuote(operation)}`);
  const node = goQuote(nodeName);
  if (stringAt(oldObject, 'spec', 'nodeName') !== nodeName)
    throw refuseAdmission(
      attributes,
      `node ${node} can only update pod status for pods with spec.nodeName set to itself`,
    );
  if (!semanticEqual(oldObject.metadata.labels, object.metadata.labels))
    throw refuseAdmission(attributes, `node ${node} cannot update labels through pod status`);
  const claims = (pod: KubeObject): string =>
    JSON.stringify(
      objectsAt(pod, 'status', 'resourceClaimStatuses').map((item) => [
        item['name'] ?? '',
        item['resourceClaimName'] ?? null,
      ]),
    );
  if (claims(object) !== claims(oldObject))
    throw refuseAdmission(attributes, `node ${node} cannot update resource claim statues`);
  if (
    !sameMembers(
      'io.k8s.api.core.v1.PodStatus',
      ['extendedResourceClaimStatus'],
      objectAt(object, 'status'),
      objectAt(oldObject, 'status'),
    )
  )
    throw refuseAdmission(attributes, `node ${node} cannot update extended resource claim status`);
}

async function checkEviction(objects: NodeObjects, nodeName: string, attributes: AdmissionAttributes): Promise<void> {
  if (attributes.operation !== 'CREATE')
    throw refuseAdmission(attributes, `unexpected operation ${attributes.operation}`);
  const name = attributes.name || attributes.object?.metadata.name || '';
  if (name === '') throw refuseAdmission(attributes, 'could not determine pod from request data');
  if ((await runsOn(objects, attributes, name)) !== nodeName)
    throw refuseAdmission(attributes, `node ${nodeName} can only evict pods with spec.nodeName set to itself`);
}
