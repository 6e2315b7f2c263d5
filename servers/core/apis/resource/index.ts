import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import { deviceClassResource, resourceClaimResource, resourceClaimTemplateResource } from './device-requests.ts';
import { deviceTaintRuleResource } from './device-taints.ts';
import { poolStatusRequestResource } from './pool-status-requests.ts';
import { resourceSliceResource } from './resource-slices.ts';

export const resourceResources: readonly BuiltInResource[] = [
  deviceClassResource,
  deviceTaintRuleResource,
  poolStatusRequestResource,
  resourceClaimResource,
  resourceClaimTemplateResource,
  resourceSliceResource,
];
