import { setDefault } from '../../../shared/apimachinery/set-default.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';

/** PriorityClasses (pkg/apis/scheduling/v1/defaults.go). */
export const priorityClassStrategy: Strategy = {
  applyDefaults: (priorityClass) => setDefault(priorityClass, 'preemptionPolicy', 'PreemptLowerPriority'),
};
