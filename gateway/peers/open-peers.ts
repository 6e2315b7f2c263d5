import { hostname } from 'node:os';
import type { BackendPool } from '#gateway/proxy/backend-pool.ts';
import type { CurrentRoutes } from '#gateway/proxy/current-routes.ts';
import type { DiscoveryRoot } from '#shared/endpoints/discovery/discovery-handler.ts';
import { limitRepeatedErrors } from '#shared/observability/limit-repeated-errors.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { apiServerId } from '#shared/process/api-server-id.ts';
import type { ServerDependencies } from '#shared/process/server-dependencies.ts';
import type { ResourceCaches } from '#shared/registry/resource-caches.ts';
import { featureGates } from '#shared/server/options/feature-gates.ts';
import { Announcement } from './announcement.ts';
import { readLocalResources } from './local-resources.ts';
import { peerAddress } from './peer-address.ts';
import { PeerDiscovery } from './peer-discovery.ts';
import { PeerEndpointStore } from './peer-endpoint-store.ts';
import { PeerServers } from './peer-servers.ts';
import { Peers } from './peers.ts';

/** What the gateway does for and with API servers of other versions, if its feature gate is on. */
export interface PeerParts {
  /** Undefined if this machine has no address for peers. */
  readonly announcement: Announcement | undefined;
  /** Undefined without `--peer-ca-file`: this server then sends nothing to peers. */
  readonly peers: Peers | undefined;
  readonly discovery: PeerDiscovery;
  metrics(): Family[];
}

export interface PeerSurroundings {
  /** Number of this gateway on its machine, from 1. */
  readonly instance: number;
  readonly caches: ResourceCaches;
  readonly core: BackendPool;
  readonly routes: CurrentRoutes;
  /** Discovery of what this server serves by itself. */
  readonly own: DiscoveryRoot;
}

/** Undefined if the feature gate UnknownVersionInteroperabilityProxy is off. */
export function openPeers(dependencies: ServerDependencies, surroundings: PeerSurroundings): PeerParts | undefined {
  const { options, storage, facts, logger } = dependencies;
  if (!featureGates(options).gates.isEnabled('UnknownVersionInteroperabilityProxy')) return undefined;
  const id = apiServerId(hostname(), surroundings.instance);
  const onError = limitRepeatedErrors((message, error) => logger.error(message, error));
  const endpoints = new PeerEndpointStore({ storage, facts, storageMediaType: options.storageMediaType });
  const address = peerAddress(options);
  const announcement =
    address === undefined
      ? undefined
      : new Announcement({
          endpoints,
          id,
          address,
          onError: (error) => onError('peers do not know the address of this server; trying again', error),
        });
  const peers =
    options.peerCaFile === '' ? undefined : followPeers(dependencies, surroundings, { id, endpoints, onError });
  const discovery = new PeerDiscovery({
    id,
    own: surroundings.own,
    peers: peers === undefined ? undefined : () => peers.documents,
  });
  const metrics = (): Family[] => [...(peers?.metrics.families() ?? []), ...discovery.metrics()];
  return { announcement, peers, discovery, metrics };
}

interface Known {
  readonly id: string;
  readonly endpoints: PeerEndpointStore;
  readonly onError: (message: string, error: unknown) => void;
}

function followPeers(
  { options, egress }: ServerDependencies,
  { caches, core, routes, own }: PeerSurroundings,
  known: Known,
): Peers {
  const { onError } = known;
  return new Peers({
    ...known,
    leases: caches.cache('coordination.k8s.io', 'leases'),
    servers: new PeerServers({ options, dial: egress.selector.dialer('controlplane'), onError }),
    routes,
    readLocal: () => readLocalResources(core, own),
  });
}
