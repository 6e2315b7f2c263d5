import { endpointSliceResource } from './endpoint-slices.ts';
import type { BuiltInResource } from '../contract/built-in-resource.ts';

export const discoveryResources: readonly BuiltInResource[] = [endpointSliceResource];
