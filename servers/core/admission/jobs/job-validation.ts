import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { numberAt, objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';

/** The parallelism of a Job with gang-scheduled pods cannot change (plugin/pkg/admission/job). */
export class JobValidation implements AdmissionPlugin {
  readonly name = 'JobValidation';
  readonly #podGroups: ObjectLister;

  constructor(caches: ObjectCaches) {
    this.#podGroups = new ObjectLister(caches, 'scheduling.k8s.io', 'podgroups');
  }

  handles(operation: AdmissionOperation, { group, resource }: GroupResource): boolean {
    return operation === 'UPDATE' && group === 'batch' && resource === 'jobs';
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { object: job, oldObject, subresource } = attributes;
    if (job === undefined || oldObject === undefined || subresource !== '') return;
    if (numberAt(job, 'spec', 'parallelism') === numberAt(oldObject, 'spec', 'parallelism')) return;
    const gang = (await this.#groupsOf(oldObject)).find(
      (podGroup) => objectAt(podGroup, 'spec', 'schedulingPolicy', 'gang') !== undefined,
    );
    if (gang === undefined) return;
    throw refuseAdmission(
      attributes,
      `cannot change parallelism for a Job referencing gang-scheduled PodGroup ${goQuote(gang.metadata.name ?? '')}`,
    );
  }

  /** The pod group that the Job's pod template names, or the groups that the Job controls. */
  async #groupsOf(job: KubeObject): Promise<readonly KubeObject[]> {
    const { namespace = '', uid } = job.metadata;
    const name = stringAt(job, 'spec', 'template', 'spec', 'schedulingGroup', 'podGroupName');
    if (name !== '') {
      const named = await this.#podGroups.get(namespace, name);
      return named === undefined ? [] : [named];
    }
    await this.#podGroups.ready();
    return this.#podGroups
      .list(namespace)
      .filter(({ metadata }) =>
        metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid),
      );
  }
}
