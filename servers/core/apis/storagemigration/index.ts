import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import { storageVersionMigrationResource } from './storage-version-migrations.ts';

export const storagemigrationResources: readonly BuiltInResource[] = [storageVersionMigrationResource];
