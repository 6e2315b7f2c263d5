import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { validateConditions } from '#servers/core/validation/conditions.ts';
import {
  validateDeclared,
  validateDeclaredUpdate,
  type DeclaredStruct,
} from '#servers/core/validation/declared-rules.ts';
import { longName, shortName } from '#servers/core/validation/declared-values.ts';
import { invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault } from '#shared/apimachinery/set-default.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { gatedGroupFields } from './gated-fields.ts';
import { claimStatuses, podGroupFields } from './pod-group-rules.ts';
import { podGroupRows } from './rows.ts';

const models = 'io.k8s.api.scheduling.v1alpha2.';

const workload: DeclaredStruct = {
  model: `${models}WorkloadPodGroupTemplateReference`,
  fields: {
    workloadName: { isRequired: true, check: longName },
    podGroupTemplateName: { isRequired: true, check: shortName },
  },
};

const reference: DeclaredStruct = {
  model: `${models}PodGroupTemplateReference`,
  union: ['workload'],
  fields: { workload: { struct: workload } },
};

const spec: DeclaredStruct = {
  model: `${models}PodGroupSpec`,
  fields: { podGroupTemplateRef: { isImmutable: true, struct: reference }, ...podGroupFields(true) },
};

const status: DeclaredStruct = { model: `${models}PodGroupStatus`, fields: { resourceClaimStatuses: claimStatuses } };

/**
 * PodGroups: pods that are scheduled together (pkg/registry/scheduling/podgroup, pkg/apis/scheduling/validation and
 * v1alpha2).
 */
export const podGroupStrategy = ({ gates }: StrategyDependencies): Strategy => ({
  applyDefaults: (group) => setDefault(ensureObject(group, 'spec'), 'disruptionMode', 'Pod'),
  validate: (group) => validateDeclared(spec, gates, objectAt(group, 'spec') ?? {}, path('spec')),
  validateUpdate: (group, old) =>
    validateDeclaredUpdate(spec, gates, objectAt(group, 'spec') ?? {}, objectAt(old, 'spec') ?? {}, path('spec')),
  validateStatusUpdate: (group, old) => [
    ...validateConditions(objectsAt(group, 'status', 'conditions'), path('status', 'conditions')),
    ...validateClaimNames(group),
    ...validateDeclaredUpdate(
      status,
      gates,
      objectAt(group, 'status') ?? {},
      objectAt(old, 'status') ?? {},
      path('status'),
    ),
  ],
});

/** Each claim in the status must be a claim of the group's spec. */
function validateClaimNames(group: KubeObject): FieldError[] {
  const names = new Set(objectsAt(group, 'spec', 'resourceClaims').map((claim) => stringAt(claim, 'name')));
  return objectsAt(group, 'status', 'resourceClaimStatuses').flatMap((claim, index) => {
    const name = stringAt(claim, 'name');
    return names.has(name)
      ? []
      : [
          invalid(
            path('status', 'resourceClaimStatuses').index(index).child('name'),
            name,
            'must match the name of an entry in `spec.resourceClaims`',
          ),
        ];
  });
}

export const podGroupResource = defineBuiltIn({
  group: 'scheduling.k8s.io',
  resource: 'podgroups',
  rows: podGroupRows,
  strategy: podGroupStrategy,
  writes: {
    // In the reference, the strategy also resets the status, but the store of the whole object does not use it.
    resetFields: { status: [['metadata'], ['spec']] },
  },
  gatedFields: [
    ...gatedGroupFields('spec.', { readAs: 'Pod' }),
    { gates: ['DRAWorkloadResourceClaims'], fields: ['status.resourceClaimStatuses'], usedBy: ['spec.resourceClaims'] },
  ],
});
