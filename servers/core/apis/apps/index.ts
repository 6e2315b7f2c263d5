import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import { controllerRevisionResource } from './controller-revisions.ts';
import { daemonSetResource } from './daemon-sets.ts';
import { deploymentResource } from './deployments.ts';
import { replicaSetResource } from './replica-sets.ts';
import { statefulSetResource } from './stateful-sets.ts';

export const appsResources: readonly BuiltInResource[] = [
  controllerRevisionResource,
  daemonSetResource,
  deploymentResource,
  replicaSetResource,
  statefulSetResource,
];
