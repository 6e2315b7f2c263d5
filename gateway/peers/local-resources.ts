import type { BackendPool } from '#gateway/proxy/backend-pool.ts';
import { internalFetch } from '#gateway/proxy/internal-request.ts';
import type { APIGroupDiscovery, APIGroupDiscoveryList } from '#shared/endpoints/discovery/api-group-discovery.ts';
import type { DiscoveryRoot } from '#shared/endpoints/discovery/discovery-handler.ts';
import { resourceKeys, type LocalResources } from './peer-resources.ts';

const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Reads the two roots of discovery. Rejects if core does not answer. */
export async function readLocalResources(core: BackendPool, root: DiscoveryRoot): Promise<LocalResources> {
  const [own, { status, body }] = await Promise.all([root.current(), internalFetch(core, '/api', { accept })]);
  if (status !== 200) throw new Error(`/api answered ${status}`);
  const groups = [...own.list.items, ...(JSON.parse(body.toString('utf8')) as APIGroupDiscoveryList).items];
  return { keys: new Set(resourceKeys(groups)), unknown: new Set(staleVersions(groups)) };
}

function* staleVersions(groups: readonly APIGroupDiscovery[]): Iterable<string> {
  for (const { metadata, versions } of groups)
    for (const { version, freshness } of versions) if (freshness === 'Stale') yield `${metadata.name ?? ''}/${version}`;
}
