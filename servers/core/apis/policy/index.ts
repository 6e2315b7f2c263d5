import { podDisruptionBudgetResource } from './pod-disruption-budgets.ts';
import type { BuiltInResource } from '../contract/built-in-resource.ts';

export const policyResources: readonly BuiltInResource[] = [podDisruptionBudgetResource];
