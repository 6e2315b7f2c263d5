import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';

/** A new pod group may refer only to an existing template of a workload (plugin/pkg/admission/podgroup). */
export class PodGroupWorkloadExists implements AdmissionPlugin {
  readonly name = 'PodGroupWorkloadExists';
  readonly #workloads: ObjectLister;

  constructor(caches: ObjectCaches) {
    this.#workloads = new ObjectLister(caches, 'scheduling.k8s.io', 'workloads');
  }

  handles(operation: AdmissionOperation, { group, resource }: GroupResource): boolean {
    return operation === 'CREATE' && group === 'scheduling.k8s.io' && resource === 'podgroups';
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { object, namespace, subresource } = attributes;
    const reference = objectAt(object, 'spec', 'podGroupTemplateRef', 'workload');
    if (subresource !== '' || reference === undefined) return;
    const [name, template] = [stringAt(reference, 'workloadName'), stringAt(reference, 'podGroupTemplateName')];
    const workload = await this.#workloads.getFresh(namespace, name);
    const refuse = (why: string): Error => refuseAdmission(attributes, `PodGroup rejected: ${why}`);
    if (workload === undefined) throw refuse(`Workload ${goQuote(name)} not found`);
    if (workload.metadata.deletionTimestamp) throw refuse(`Workload ${goQuote(name)} is being deleted`);
    if (objectsAt(workload, 'spec', 'podGroupTemplates').some((item) => stringAt(item, 'name') === template)) return;
    throw refuse(`PodGroupTemplate ${goQuote(template)} not found in Workload ${goQuote(name)}`);
  }
}
