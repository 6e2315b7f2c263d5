import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isPods } from '#shared/admission/contract/attribute-match.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { Quantity } from '#shared/apimachinery/values/quantity-parse.ts';
import { compareQuantities, parseQuantity, quantityValue } from '#shared/apimachinery/values/quantity.ts';
import { podAmounts } from '#shared/objects/pod-resources.ts';
import { podSpec } from '#shared/objects/pod-spec.ts';

const zero = parseQuantity('0');

/** Allows a resize only within the resources of the node, and only on Linux (plugin/pkg/admission/podresize). */
export class PodResizeValidator implements AdmissionPlugin {
  readonly name = 'PodResizeValidator';
  readonly #nodes: ObjectLister;

  constructor(caches: ObjectCaches) {
    this.#nodes = new ObjectLister(caches, '', 'nodes', 'minions');
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation === 'UPDATE' && isPods(resource);
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { object: pod, oldObject, subresource } = attributes;
    if (pod === undefined || subresource !== 'resize') return;
    const nodeName = stringAt(podSpec(pod), 'nodeName');
    if (nodeName === '' || oldObject?.metadata.generation === pod.metadata.generation) return;
    const node = await this.#nodes.get('', nodeName);
    if (node === undefined) throw refuseAdmission(attributes, `node ${goQuote(nodeName)} not found`);
    const system = node.metadata.labels?.['kubernetes.io/os'] ?? 'linux';
    if (system !== 'linux') {
      throw refuseAdmission(
        attributes,
        `pod resize is only supported on linux nodes, node ${goQuote(nodeName)} is ${goQuote(system)}`,
        [{ reason: 'UnsupportedPlatform' }],
      );
    }
    const missing = missingOn(node, pod);
    if (missing.length > 0)
      throw refuseAdmission(attributes, `node didn't have enough allocatable resources: ${missing.join('; ')}`, [
        { reason: 'NodeCapacity' },
      ]);
  }
}

function missingOn(node: KubeObject, pod: KubeObject): readonly string[] {
  const requests = podAmounts(podSpec(pod), 'requests', true);
  const allocatable = objectAt(node, 'status', 'allocatable');
  return (['cpu', 'memory'] as const).flatMap((name) => {
    const wanted = requests.get(name) ?? zero;
    const there = parseQuantity(stringAt(allocatable, name) || '0');
    if (compareQuantities(wanted, there) <= 0) return [];
    const show = (quantity: Quantity): bigint => quantityValue(quantity, name === 'cpu' ? -3 : 0);
    return [`${name}, requested: ${show(wanted)}, allocatable: ${show(there)}`];
  });
}
