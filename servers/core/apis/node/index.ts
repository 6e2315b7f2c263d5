import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import { runtimeClassResource } from './runtime-classes.ts';

export const nodeResources: readonly BuiltInResource[] = [runtimeClassResource];
