import { objectAt } from '../../../shared/apimachinery/object.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';
import { applyPodTemplateDefaults } from './pod-spec-defaults.ts';

/** PodTemplates (pkg/registry/core/podtemplate). */
export const podTemplateStrategy: Strategy = {
  applyDefaults: (object) => applyPodTemplateDefaults(objectAt(object, 'template')),
};
