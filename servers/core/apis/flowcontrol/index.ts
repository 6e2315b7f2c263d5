import { flowSchemaResource, priorityLevelResource } from './flow-control.ts';
import type { BuiltInResource } from '../contract/built-in-resource.ts';

export const flowcontrolResources: readonly BuiltInResource[] = [flowSchemaResource, priorityLevelResource];
