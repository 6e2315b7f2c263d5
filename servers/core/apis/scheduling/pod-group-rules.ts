import type { DeclaredField, DeclaredStruct } from '#servers/core/validation/declared-rules.ts';
import { between, labelKey, longName, oneOfTexts, shortName } from '#servers/core/validation/declared-values.ts';

// The common fields of pod groups and of the templates for them (k8s.io/api/scheduling/v1alpha2/types.go).

const models = 'io.k8s.api.scheduling.v1alpha2.';
const maxClaims = 4;
/** The highest priority of classes that users create. */
const highestPriority = 1_000_000_000;

/** Gang scheduling: no pod is scheduled until `minCount` pods can be. */
const gang: DeclaredStruct = {
  model: `${models}GangSchedulingPolicy`,
  fields: { minCount: { isRequired: true, check: between(1) } },
};

const policy: DeclaredStruct = {
  model: `${models}PodGroupSchedulingPolicy`,
  union: ['basic', 'gang'],
  fields: { gang: { struct: gang } },
};

/** The topology key: all pods go to nodes with the same value of this label. */
const topology: DeclaredStruct = {
  model: `${models}TopologyConstraint`,
  fields: { key: { isRequired: true, check: labelKey } },
};

const constraints: DeclaredStruct = {
  model: `${models}PodGroupSchedulingConstraints`,
  fields: { topology: { maxItems: 1, struct: topology } },
};

const claim: DeclaredStruct = {
  model: `${models}PodGroupResourceClaim`,
  union: ['resourceClaimName', 'resourceClaimTemplateName'],
  fields: {
    name: { isRequired: true, check: shortName },
    resourceClaimName: { check: longName },
    resourceClaimTemplateName: { check: longName },
  },
};

/** The fields of a group or of a template. With `isImmutable`, for groups, each of them is immutable. */
export function podGroupFields(isImmutable: boolean): Readonly<Record<string, DeclaredField>> {
  return {
    schedulingPolicy: { isImmutable, struct: policy },
    schedulingConstraints: { gate: 'TopologyAwareWorkloadScheduling', isImmutable, struct: constraints },
    resourceClaims: { isImmutable: true, maxItems: maxClaims, key: 'name', struct: claim },
    disruptionMode: { gate: 'WorkloadAwarePreemption', isImmutable, check: oneOfTexts(['Pod', 'PodGroup']) },
    priorityClassName: { gate: 'WorkloadAwarePreemption', isImmutable, check: longName },
    priority: { gate: 'WorkloadAwarePreemption', isImmutable, check: between(-(2 ** 31), highestPriority) },
  };
}

/** The statuses of the claims of a group. */
export const claimStatuses: DeclaredField = {
  maxItems: maxClaims,
  key: 'name',
  struct: { model: `${models}PodGroupResourceClaimStatus`, fields: { resourceClaimName: { check: longName } } },
};
