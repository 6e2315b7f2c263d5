import { storageVersionResource } from './storage-versions.ts';
import type { BuiltInResource } from '../contract/built-in-resource.ts';

export const apiserverinternalResources: readonly BuiltInResource[] = [storageVersionResource];
