import { podGroupResource } from './pod-groups.ts';
import { priorityClassResource } from './priority-classes.ts';
import { workloadResource } from './workloads.ts';
import type { BuiltInResource } from '../contract/built-in-resource.ts';

export const schedulingResources: readonly BuiltInResource[] = [
  podGroupResource,
  priorityClassResource,
  workloadResource,
];
