import { path, type FieldError } from '../../../shared/apimachinery/field-error.ts';
import { objectAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';
import { validateDeclared, validateDeclaredUpdate, type DeclaredStruct } from '../validation/declared-rules.ts';
import { longName, pathSegmentName, shortName } from '../validation/declared-values.ts';
import { podGroupFields } from './pod-group-rules.ts';

const models = 'io.k8s.api.scheduling.v1alpha2.';
const maxTemplates = 8;

const controller: DeclaredStruct = {
  model: `${models}TypedLocalObjectReference`,
  fields: { apiGroup: { check: longName }, kind: { isRequired: true, check: pathSegmentName }, name: { isRequired: true, check: pathSegmentName } },
};

const template: DeclaredStruct = { model: `${models}PodGroupTemplate`, fields: { name: { isRequired: true, check: shortName }, ...podGroupFields(false) } };

const spec: DeclaredStruct = {
  model: `${models}WorkloadSpec`,
  fields: {
    controllerRef: { isImmutable: true, struct: controller },
    podGroupTemplates: { isImmutable: true, maxItems: maxTemplates, isRequired: true, key: 'name', struct: template },
  },
};

/** Workloads: of which groups of pods something consists (pkg/registry/scheduling/workload, pkg/apis/scheduling/v1alpha2). */
export const workloadStrategy: Strategy = {
  validate: (_context, workload) => validateDeclared(spec, objectAt(workload, 'spec') ?? {}, path('spec')),
  validateUpdate: (_context, workload, old) => validateUpdate(workload, old),
};

function validateUpdate(workload: KubeObject, old: KubeObject): FieldError[] {
  return validateDeclaredUpdate(spec, objectAt(workload, 'spec') ?? {}, objectAt(old, 'spec') ?? {}, path('spec'));
}
