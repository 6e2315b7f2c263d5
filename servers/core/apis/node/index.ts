import { runtimeClassResource } from './runtime-classes.ts';
import type { BuiltInResource } from '../contract/built-in-resource.ts';

export const nodeResources: readonly BuiltInResource[] = [runtimeClassResource];
