import { autoscalerCases } from './autoscalers.ts';
import { priorityClassCases } from './priority-classes.ts';
import type { RuleCase } from './rule-case.ts';

/** In the order in which they are played. */
export const ruleCases: readonly RuleCase[] = [...priorityClassCases, ...autoscalerCases];
