import { admissionregistrationResources } from './admissionregistration/index.ts';
import { apiserverinternalResources } from './apiserverinternal/index.ts';
import { appsResources } from './apps/index.ts';
import { authenticationResources } from './authentication/index.ts';
import { authorizationResources } from './authorization/index.ts';
import { autoscalingResources } from './autoscaling/index.ts';
import { batchResources } from './batch/index.ts';
import { certificatesResources } from './certificates/index.ts';
import type { BuiltInResource } from './contract/built-in-resource.ts';
import { coordinationResources } from './coordination/index.ts';
import { coreResources } from './core/index.ts';
import { discoveryResources } from './discovery/index.ts';
import { eventsResources } from './events/index.ts';
import { flowcontrolResources } from './flowcontrol/index.ts';
import { networkingResources } from './networking/index.ts';
import { nodeResources } from './node/index.ts';
import { policyResources } from './policy/index.ts';
import { rbacResources } from './rbac/index.ts';
import { resourceResources } from './resource/index.ts';
import { schedulingResources } from './scheduling/index.ts';
import { storageResources } from './storage/index.ts';
import { storagemigrationResources } from './storagemigration/index.ts';

/** Every built-in resource of this server. */
export const builtInResources: readonly BuiltInResource[] = [
  ...admissionregistrationResources,
  ...apiserverinternalResources,
  ...appsResources,
  ...authenticationResources,
  ...authorizationResources,
  ...autoscalingResources,
  ...batchResources,
  ...certificatesResources,
  ...coordinationResources,
  ...coreResources,
  ...discoveryResources,
  ...eventsResources,
  ...flowcontrolResources,
  ...networkingResources,
  ...nodeResources,
  ...policyResources,
  ...rbacResources,
  ...resourceResources,
  ...schedulingResources,
  ...storageResources,
  ...storagemigrationResources,
];
