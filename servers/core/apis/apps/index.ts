import { controllerRevisionResource } from './controller-revisions.ts';
import { daemonSetResource } from './daemon-sets.ts';
import { deploymentResource } from './deployments.ts';
import { replicaSetResource } from './replica-sets.ts';
import { statefulSetResource } from './stateful-sets.ts';
import type { BuiltInResource } from '../contract/built-in-resource.ts';

export const appsResources: readonly BuiltInResource[] = [
  controllerRevisionResource,
  daemonSetResource,
  deploymentResource,
  replicaSetResource,
  statefulSetResource,
];
