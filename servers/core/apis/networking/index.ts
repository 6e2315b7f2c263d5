import { ingressClassResource } from './ingress-classes.ts';
import { ingressResource } from './ingresses.ts';
import { ipAddressResource } from './ip-addresses.ts';
import { networkPolicyResource } from './network-policies.ts';
import { serviceCidrResource } from './service-cidrs.ts';
import type { BuiltInResource } from '../contract/built-in-resource.ts';

export const networkingResources: readonly BuiltInResource[] = [
  ingressClassResource,
  ingressResource,
  ipAddressResource,
  networkPolicyResource,
  serviceCidrResource,
];
