import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import { coreEventResource } from '#servers/core/apis/events/events.ts';
import { componentStatusResource } from './component-statuses/component-statuses.ts';
import { namespaceResource } from './namespaces.ts';
import { nodeResource } from './nodes/nodes.ts';
import { bindingResource } from './pods/pod-binding.ts';
import { podTemplateResource } from './pods/pod-templates.ts';
import { podResource } from './pods/pods.ts';
import { limitRangeResource } from './quotas/limit-ranges.ts';
import { resourceQuotaResource } from './quotas/resource-quotas.ts';
import { replicationControllerResource } from './replication-controllers.ts';
import { configMapResource } from './secrets/config-maps.ts';
import { secretResource } from './secrets/secrets.ts';
import { serviceAccountResource } from './service-accounts/service-accounts.ts';
import { endpointsResource } from './services/endpoints.ts';
import { serviceResource } from './services/services.ts';
import { persistentVolumeClaimResource } from './volumes/persistent-volume-claims.ts';
import { persistentVolumeResource } from './volumes/persistent-volumes.ts';

export const coreResources: readonly BuiltInResource[] = [
  bindingResource,
  componentStatusResource,
  configMapResource,
  coreEventResource,
  endpointsResource,
  limitRangeResource,
  namespaceResource,
  nodeResource,
  persistentVolumeClaimResource,
  persistentVolumeResource,
  podResource,
  podTemplateResource,
  replicationControllerResource,
  resourceQuotaResource,
  secretResource,
  serviceAccountResource,
  serviceResource,
];
