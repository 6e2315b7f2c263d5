import type { ClusterIPs } from './cluster-ips.ts';
import type { NodePorts } from './node-ports.ts';

/** Give Services their addresses and node ports. */
export interface ServiceAllocators {
  readonly clusterIPs: ClusterIPs;
  readonly nodePorts: NodePorts;
}
