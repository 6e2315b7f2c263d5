import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import { podGroupResource } from './pod-groups.ts';
import { priorityClassResource } from './priority-classes.ts';
import { workloadResource } from './workloads.ts';

export const schedulingResources: readonly BuiltInResource[] = [
  podGroupResource,
  priorityClassResource,
  workloadResource,
];
