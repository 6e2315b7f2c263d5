import type { ClusterIPs } from './cluster-ips.ts';
import type { NodePorts } from './node-ports.ts';

/** The allocators of addresses and node ports for Services. */
export interface ServiceAllocators {
  readonly clusterIPs: ClusterIPs;
  readonly nodePorts: NodePorts;
}
