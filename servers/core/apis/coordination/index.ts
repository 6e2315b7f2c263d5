import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import { leaseCandidateResource } from './lease-candidates.ts';
import { leaseResource } from './leases.ts';

export const coordinationResources: readonly BuiltInResource[] = [leaseCandidateResource, leaseResource];
