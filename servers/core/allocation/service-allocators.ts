import type { Family } from '#shared/observability/metrics/family.ts';
import type { ClusterIPs } from './cluster-ips.ts';
import type { NodePorts } from './node-ports.ts';

/** The allocators of addresses and node ports for Services. */
export interface ServiceAllocators {
  readonly clusterIPs: ClusterIPs;
  readonly nodePorts: NodePorts;
}

export function allocationMetrics({ clusterIPs, nodePorts }: ServiceAllocators): readonly Family[] {
  return [...clusterIPs.metrics.families(), ...nodePorts.metrics.families()];
}
