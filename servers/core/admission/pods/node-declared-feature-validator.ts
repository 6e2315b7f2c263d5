import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isPods } from '#shared/admission/contract/attribute-match.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import { sameMembers } from '#shared/api/same-by-type.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { podSpec } from '#shared/objects/pod-spec.ts';

/** Features that a change of a pod needs on its node, by name (component-helpers/nodedeclaredfeatures/features). */
const needs: readonly (readonly [name: string, isNeeded: (spec: JsonObject, before: JsonObject) => boolean])[] = [
  [
    'InPlacePodLevelResourcesVerticalScaling',
    (spec, before) => !sameMembers('io.k8s.api.core.v1.PodSpec', ['resources'], spec, before),
  ],
  ['InPlacePodVerticalScalingInitContainers', resizesInitContainer],
];

/**
 * Allows a change of a scheduled pod only if its node declares the features that the change needs (KEP-5328,
 * plugin/pkg/admission/nodedeclaredfeatures).
 */
export class NodeDeclaredFeatureValidator implements AdmissionPlugin {
  readonly name = 'NodeDeclaredFeatureValidator';
  readonly #nodes: ObjectLister;

  constructor(caches: ObjectCaches) {
    this.#nodes = new ObjectLister(caches, '', 'nodes', 'minions');
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation === 'UPDATE' && isPods(resource);
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { object: pod, oldObject, subresource } = attributes;
    if (pod === undefined || oldObject === undefined || (subresource !== '' && subresource !== 'resize')) return;
    const spec = podSpec(pod);
    const nodeName = stringAt(spec, 'nodeName');
    if (nodeName === '' || oldObject.metadata.generation === pod.metadata.generation) return;
    const needed = needs.filter(([, isNeeded]) => isNeeded(spec, podSpec(oldObject))).map(([name]) => name);
    if (needed.length === 0) return;
    const node = await this.#nodes.get('', nodeName);
    if (node === undefined) throw refuseAdmission(attributes, `node ${goQuote(nodeName)} not found`);
    const declared = stringsAt(node, 'status', 'declaredFeatures');
    const missing = needed.filter((name) => !declared.includes(name));
    if (missing.length > 0)
      throw refuseAdmission(
        attributes,
        `pod update requires features ${missing.join(', ')} which are not available on node ${goQuote(nodeName)}`,
      );
  }
}

/** Whether the resources of an init container change. Sidecars do not count: they are resized like containers. */
function resizesInitContainer(spec: JsonObject, before: JsonObject): boolean {
  const containers = objectsAt(spec, 'initContainers');
  return objectsAt(before, 'initContainers').some(
    (container, index) =>
      stringAt(container, 'restartPolicy') !== 'Always' &&
      !sameMembers('io.k8s.api.core.v1.Container', ['resources'], containers[index], container),
  );
}
