import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import { csiDriverResource } from './csi-drivers.ts';
import { csiNodeResource } from './csi-nodes.ts';
import { csiStorageCapacityResource } from './csi-storage-capacities.ts';
import { storageClassResource, volumeAttributesClassResource } from './storage-classes.ts';
import { volumeAttachmentResource } from './volume-attachments.ts';

export const storageResources: readonly BuiltInResource[] = [
  csiDriverResource,
  csiNodeResource,
  csiStorageCapacityResource,
  storageClassResource,
  volumeAttachmentResource,
  volumeAttributesClassResource,
];
