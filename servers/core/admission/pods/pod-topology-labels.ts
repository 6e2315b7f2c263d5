import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isPods } from '#shared/admission/contract/attribute-match.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';

const topologyLabels = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'] as const;

/** Copies the zone and region labels of the node to a pod at its binding (plugin/pkg/admission/podtopologylabels). */
export class PodTopologyLabels implements AdmissionPlugin {
  readonly name = 'PodTopologyLabels';
  readonly #nodes: ObjectLister;

  constructor(caches: ObjectCaches) {
    this.#nodes = new ObjectLister(caches, '', 'nodes', 'minions');
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation === 'CREATE' && isPods(resource);
  }

  async admit({ object, subresource }: AdmissionAttributes): Promise<void> {
    if (object === undefined || (subresource !== '' && subresource !== 'binding')) return;
    const bound = subresource === 'binding' && stringAt(object, 'target', 'kind') === 'Node';
    const nodeName =
      subresource === '' ? stringAt(object, 'spec', 'nodeName') : bound ? stringAt(object, 'target', 'name') : '';
    if (nodeName === '') return;
    const node = await this.#nodes.get('', nodeName);
    for (const label of topologyLabels) {
      const value = node?.metadata.labels?.[label];
      if (value !== undefined) ensureObject(object.metadata, 'labels')[label] = value;
    }
  }
}
