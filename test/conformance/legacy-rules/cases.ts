import { autoscalerCases } from './autoscalers.ts';
import { evictionCases } from './evictions.ts';
import { jsonAnnotationCases } from './json-annotations.ts';
import { legacyFieldCases } from './legacy-fields.ts';
import { networkAnnotationCases } from './network-annotations.ts';
import { objectKeyCases } from './object-keys.ts';
import { priorityClassCases } from './priority-classes.ts';
import { requestOptionCases } from './request-options.ts';
import type { RuleCase } from './rule-case.ts';
import { storageCases } from './storage-classes.ts';
import { volumeSourceCases } from './volume-sources.ts';
import { workloadKeyCases } from './workload-keys.ts';

/** In the order in which they are played. */
export const ruleCases: readonly RuleCase[] = [
  ...priorityClassCases,
  ...autoscalerCases,
  ...jsonAnnotationCases,
  ...storageCases,
  ...networkAnnotationCases,
  ...evictionCases,
  ...workloadKeyCases,
  ...objectKeyCases,
  ...legacyFieldCases,
  ...volumeSourceCases,
  ...requestOptionCases,
];
