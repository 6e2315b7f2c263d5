import { autoscalerCases } from './autoscalers.ts';
import { evictionCases } from './evictions.ts';
import { jsonAnnotationCases } from './json-annotations.ts';
import { networkAnnotationCases } from './network-annotations.ts';
import { priorityClassCases } from './priority-classes.ts';
import type { RuleCase } from './rule-case.ts';
import { storageCases } from './storage-classes.ts';

/** In the order in which they are played. */
export const ruleCases: readonly RuleCase[] = [
  ...priorityClassCases,
  ...autoscalerCases,
  ...jsonAnnotationCases,
  ...storageCases,
  ...networkAnnotationCases,
  ...evictionCases,
];
