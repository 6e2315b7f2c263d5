import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { dropDisabledFields, type DropDisabled } from '#servers/core/gates/disabled-fields.ts';
import type { Gates } from '#servers/core/gates/gates.ts';
import {
  validateDeclared,
  validateDeclaredUpdate,
  type DeclaredStruct,
} from '#servers/core/validation/declared-rules.ts';
import { longName, pathSegmentName, shortName } from '#servers/core/validation/declared-values.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import { objectAt, objectsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { gatedTemplateFields } from './gated-fields.ts';
import { podGroupFields } from './pod-group-rules.ts';
import { workloadRows } from './rows.ts';

const models = 'io.k8s.api.scheduling.v1alpha2.';
const maxTemplates = 8;

const controller: DeclaredStruct = {
  model: `${models}TypedLocalObjectReference`,
  fields: {
    apiGroup: { check: longName },
    kind: { isRequired: true, check: pathSegmentName },
    name: { isRequired: true, check: pathSegmentName },
  },
};

const template: DeclaredStruct = {
  model: `${models}PodGroupTemplate`,
  fields: { name: { isRequired: true, check: shortName }, ...podGroupFields(false) },
};

const spec: DeclaredStruct = {
  model: `${models}WorkloadSpec`,
  fields: {
    controllerRef: { isImmutable: true, struct: controller },
    podGroupTemplates: { isImmutable: true, maxItems: maxTemplates, isRequired: true, key: 'name', struct: template },
  },
};

/**
 * Workloads: the pod groups of which an application consists (pkg/registry/scheduling/workload,
 * pkg/apis/scheduling/v1alpha2).
 */
export function workloadStrategy(gates: Gates): Strategy {
  const drop = dropDisabledFields(gatedTemplateFields, gates);
  return {
    prepareForCreate: (workload) => dropFromTemplates(drop, workload, undefined),
    validate: (workload) => validateDeclared(spec, gates, objectAt(workload, 'spec') ?? {}, path('spec')),
    prepareForUpdate: (workload, old) => dropFromTemplates(drop, workload, old),
    validateUpdate: (workload, old) =>
      validateDeclaredUpdate(spec, gates, objectAt(workload, 'spec') ?? {}, objectAt(old, 'spec') ?? {}, path('spec')),
  };
}

/** Drops disabled fields from each template, unless the old template at the same position has them. */
function dropFromTemplates(drop: DropDisabled | undefined, workload: KubeObject, old: KubeObject | undefined): void {
  const before = objectsAt(old, 'spec', 'podGroupTemplates');
  for (const [index, item] of objectsAt(workload, 'spec', 'podGroupTemplates').entries()) drop?.(item, before[index]);
}

export const workloadResource = defineBuiltIn({
  group: 'scheduling.k8s.io',
  resource: 'workloads',
  rows: workloadRows,
  strategy: ({ gates }) => workloadStrategy(gates),
});
