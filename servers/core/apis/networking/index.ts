import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import { ingressClassResource } from './ingress-classes.ts';
import { ingressResource } from './ingresses.ts';
import { ipAddressResource } from './ip-addresses.ts';
import { networkPolicyResource } from './network-policies.ts';
import { serviceCidrResource } from './service-cidrs.ts';

export const networkingResources: readonly BuiltInResource[] = [
  ingressClassResource,
  ingressResource,
  ipAddressResource,
  networkPolicyResource,
  serviceCidrResource,
];
