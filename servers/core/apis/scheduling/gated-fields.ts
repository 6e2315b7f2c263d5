import type { GatedFields } from '../../gates/disabled-fields.ts';

/** pkg/registry/scheduling; `at` is before what a template of pod groups and a group have in common. */
export function gatedGroupFields(at: string, disruption: Pick<GatedFields, 'readAs'>): GatedFields[] {
  return [
    { gates: ['TopologyAwareWorkloadScheduling'], fields: [`${at}schedulingConstraints`] },
    { gates: ['DRAWorkloadResourceClaims'], fields: [`${at}resourceClaims`] },
    { gates: ['WorkloadAwarePreemption'], fields: [`${at}disruptionMode`], ...disruption },
    { gates: ['WorkloadAwarePreemption'], fields: [`${at}priorityClassName`] },
    { gates: ['WorkloadAwarePreemption'], fields: [`${at}priority`] },
  ];
}

/** Of one template, by the one that stood in its place. */
export const gatedTemplateFields: readonly GatedFields[] = gatedGroupFields('', {});
