import type { GatedFields } from '#servers/core/gates/disabled-fields.ts';

/** Gated fields of pod groups and of their templates (pkg/registry/scheduling); `at` is the prefix of the paths. */
export function gatedGroupFields(at: string, disruption: Pick<GatedFields, 'readAs'>): GatedFields[] {
  return [
    { gates: ['TopologyAwareWorkloadScheduling'], fields: [`${at}schedulingConstraints`] },
    { gates: ['DRAWorkloadResourceClaims'], fields: [`${at}resourceClaims`] },
    { gates: ['WorkloadAwarePreemption'], fields: [`${at}disruptionMode`], ...disruption },
    { gates: ['WorkloadAwarePreemption'], fields: [`${at}priorityClassName`] },
    { gates: ['WorkloadAwarePreemption'], fields: [`${at}priority`] },
  ];
}

/** Gated fields of one template; the old template at the same position shows whether they are in use. */
export const gatedTemplateFields: readonly GatedFields[] = gatedGroupFields('', {});
