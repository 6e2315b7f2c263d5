import { leaseCandidateResource } from './lease-candidates.ts';
import { leaseResource } from './leases.ts';
import type { BuiltInResource } from '../contract/built-in-resource.ts';

export const coordinationResources: readonly BuiltInResource[] = [leaseCandidateResource, leaseResource];
