import { storageVersionMigrationResource } from './storage-version-migrations.ts';
import type { BuiltInResource } from '../contract/built-in-resource.ts';

export const storagemigrationResources: readonly BuiltInResource[] = [storageVersionMigrationResource];
