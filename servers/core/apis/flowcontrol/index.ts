import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import { flowSchemaResource, priorityLevelResource } from './flow-control.ts';

export const flowcontrolResources: readonly BuiltInResource[] = [flowSchemaResource, priorityLevelResource];
