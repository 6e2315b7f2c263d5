import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import { endpointSliceResource } from './endpoint-slices.ts';

export const discoveryResources: readonly BuiltInResource[] = [endpointSliceResource];
