import { path } from '../../../../../shared/apimachinery/field-error.ts';
import { objectAt } from '../../../../../shared/apimachinery/object.ts';
import { ensureObject } from '../../../../../shared/apimachinery/set-default.ts';
import type { Strategy } from '../../../../../shared/registry/strategy.ts';
import { validatePodTemplate } from './validation/pods.ts';
import { applyPodTemplateDefaults } from './pod-spec-defaults.ts';
import { defineBuiltIn } from '../../contract/built-in-resource.ts';

/** PodTemplates (pkg/registry/core/podtemplate). */
const podTemplateStrategy: Strategy = {
  validateInSteps: (object, old) =>
    validatePodTemplate(objectAt(object, 'template'), objectAt(old, 'template'), path('template')),
  applyDefaults: (object) => applyPodTemplateDefaults(ensureObject(object, 'template')),
};

export const podTemplateResource = defineBuiltIn({
  group: '',
  resource: 'podtemplates',
  strategy: podTemplateStrategy,
  writes: {
    generation: 'spec',
  },
  podHolder: { steps: ['template'] },
});
