import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isPods } from '#shared/admission/contract/attribute-match.ts';
import { newForbidden } from '#shared/apimachinery/errors/status.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { objectsAt, stringAt } from '#shared/apimachinery/object.ts';

const hostname = 'kubernetes.io/hostname';

/** Required pod anti-affinity may have only nodes as its topology (plugin/pkg/admission/antiaffinity). */
export class LimitPodHardAntiAffinityTopology implements AdmissionPlugin {
  readonly name = 'LimitPodHardAntiAffinityTopology';

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return isPods(resource) && (operation === 'CREATE' || operation === 'UPDATE');
  }

  validate({ object: pod, resource: { group, resource }, subresource }: AdmissionAttributes): void {
    if (pod === undefined || subresource !== '') return;
    for (const term of objectsAt(
      pod,
      'spec',
      'affinity',
      'podAntiAffinity',
      'requiredDuringSchedulingIgnoredDuringExecution',
    )) {
      const key = stringAt(term, 'topologyKey');
      if (key === hostname) continue;
      throw newForbidden(
        { group, resource },
        pod.metadata.name ?? '',
        `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${key} but only key ${hostname} is allowed`,
      );
    }
  }
}
