import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import { storageVersionResource } from './storage-versions.ts';

export const apiserverinternalResources: readonly BuiltInResource[] = [storageVersionResource];
