import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { statusLeavesMetadata } from '#servers/core/apis/contract/reset-fields.ts';
import { validateConditions } from '#servers/core/validation/conditions.ts';
import { applyBindingDefaults, applyPolicyDefaults } from '#shared/admission/registration/defaults.ts';
import {
  validateMutatingBinding,
  validateValidatingBinding,
} from '#shared/admission/registration/policy-binding-validation.ts';
import { validateMutatingPolicy, validateValidatingPolicy } from '#shared/admission/registration/policy-validation.ts';
import { path, required, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import {
  mutatingAdmissionPolicyBindingRows,
  mutatingAdmissionPolicyRows,
  validatingAdmissionPolicyBindingRows,
  validatingAdmissionPolicyRows,
} from './rows.ts';
import { withStaticNames } from './static-names.ts';

const validatingPolicyStrategy = ({ gates, expressions }: StrategyDependencies): Strategy =>
  withStaticNames(
    {
      applyDefaults: applyPolicyDefaults,
      validateInSteps: (policy, old) => validateValidatingPolicy(policy, expressions, old),
      validateStatusUpdate: validatePolicyStatus,
    },
    gates,
  );

const mutatingPolicyStrategy = ({ gates, expressions }: StrategyDependencies): Strategy =>
  withStaticNames(
    {
      applyDefaults: applyPolicyDefaults,
      validateInSteps: (policy, old) => validateMutatingPolicy(policy, expressions, old),
    },
    gates,
  );

const validatingBindingStrategy = ({ gates }: StrategyDependencies): Strategy =>
  withStaticNames(
    {
      applyDefaults: applyBindingDefaults,
      validate: validateValidatingBinding,
      validateUpdate: validateValidatingBinding,
    },
    gates,
  );

const mutatingBindingStrategy = ({ gates }: StrategyDependencies): Strategy =>
  withStaticNames(
    {
      applyDefaults: applyBindingDefaults,
      validate: validateMutatingBinding,
      validateUpdate: validateMutatingBinding,
    },
    gates,
  );

/** Validates the warnings of the type check, and the conditions. */
function validatePolicyStatus(policy: KubeObject): FieldError[] {
  const field = path('status', 'typeChecking', 'expressionWarnings');
  return [
    ...objectsAt(policy, 'status', 'typeChecking', 'expressionWarnings').flatMap((warning, index) =>
      ['warning', 'fieldRef']
        .filter((key) => stringAt(warning, key).trim() === '')
        .map((key) => required(field.index(index).child(key), '')),
    ),
    ...validateConditions(objectsAt(policy, 'status', 'conditions'), path('status', 'conditions')),
  ];
}

export const mutatingPolicyResource = defineBuiltIn({
  group: 'admissionregistration.k8s.io',
  resource: 'mutatingadmissionpolicies',
  rows: mutatingAdmissionPolicyRows,
  strategy: mutatingPolicyStrategy,
  writes: {
    allowUnconditionalUpdate: false,
    metadataOnUpdate: 'whole',
    anyFinalizers: true,
    generation: 'spec',
  },
});

export const mutatingBindingResource = defineBuiltIn({
  group: 'admissionregistration.k8s.io',
  resource: 'mutatingadmissionpolicybindings',
  rows: mutatingAdmissionPolicyBindingRows,
  strategy: mutatingBindingStrategy,
  writes: {
    allowUnconditionalUpdate: false,
    metadataOnUpdate: 'whole',
    anyFinalizers: true,
    generation: 'spec',
  },
});

export const validatingPolicyResource = defineBuiltIn({
  group: 'admissionregistration.k8s.io',
  resource: 'validatingadmissionpolicies',
  rows: validatingAdmissionPolicyRows,
  strategy: validatingPolicyStrategy,
  writes: {
    allowUnconditionalUpdate: false,
    metadataOnUpdate: 'whole',
    metadataOnStatusUpdate: 'none',
    anyFinalizers: true,
    generation: 'spec',
    resetFields: statusLeavesMetadata,
  },
});

export const validatingBindingResource = defineBuiltIn({
  group: 'admissionregistration.k8s.io',
  resource: 'validatingadmissionpolicybindings',
  rows: validatingAdmissionPolicyBindingRows,
  strategy: validatingBindingStrategy,
  writes: {
    allowUnconditionalUpdate: false,
    metadataOnUpdate: 'whole',
    anyFinalizers: true,
    generation: 'spec',
  },
});
