import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import { podDisruptionBudgetResource } from './pod-disruption-budgets.ts';

export const policyResources: readonly BuiltInResource[] = [podDisruptionBudgetResource];
