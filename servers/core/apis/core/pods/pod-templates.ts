import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { applyPodTemplateDefaults } from './pod-spec-defaults.ts';
import { podTemplateRows } from './pod-template-rows.ts';
import { validatePodTemplate } from './validation/pods.ts';

/** PodTemplates (pkg/registry/core/podtemplate). */
const podTemplateStrategy = (dependencies: StrategyDependencies): Strategy => ({
  validateInSteps: (object, old) =>
    validatePodTemplate(objectAt(object, 'template'), objectAt(old, 'template'), dependencies, path('template')),
  applyDefaults: (object) => applyPodTemplateDefaults(ensureObject(object, 'template'), dependencies.gates),
});

export const podTemplateResource = defineBuiltIn({
  group: '',
  resource: 'podtemplates',
  rows: podTemplateRows,
  strategy: podTemplateStrategy,
  writes: {
    generation: 'spec',
  },
  podHolder: { steps: ['template'] },
});
