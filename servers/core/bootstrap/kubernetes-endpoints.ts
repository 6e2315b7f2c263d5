import type { CoreContext } from '#servers/core/context/core-context.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { hasReason } from '#shared/apimachinery/errors/status.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { masterLeasesPrefix } from '#shared/process/master-leases.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { decodeStored } from '#shared/serializer/codec.ts';
import { ensureStored } from './ensure-object.ts';

/**
 * Writes the endpoints of the `kubernetes` Service from the leases of API servers. Several servers may do so at once.
 */
export async function reconcileEndpoints(core: CoreContext, securePort: number): Promise<void> {
  const addresses = await leasedAddresses(core);
  // An empty list does not mean that all servers ended: they may not have reported yet.
  if (addresses.length === 0) return;
  const ports = [{ name: 'https', port: securePort, protocol: 'TCP' }];
  await write(core, '', 'endpoints', {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' },
    },
    subsets: [{ addresses: addresses.map((ip) => ({ ip })), ports }],
  });
  await write(core, 'discovery.k8s.io', 'endpointslices', {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'kubernetes', namespace: 'default', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    addressType: addresses.every((ip) => ip.includes(':')) ? 'IPv6' : 'IPv4',
    endpoints: addresses.map((ip) => ({ addresses: [ip], conditions: { ready: true } })),
    ports,
  });
}

async function leasedAddresses(core: CoreContext): Promise<string[]> {
  const { items } = await core.storage.list(masterLeasesPrefix);
  const facts = loadFacts();
  return [
    ...new Set(items.flatMap(({ value }) => addressesOf(atOnce(decodeStored(facts, value)).object).slice(0, 1))),
  ].toSorted();
}

function addressesOf(object: KubeObject): string[] {
  const [subset] = (object['subsets'] ?? []) as { addresses?: { ip: string }[] }[];
  return subset?.addresses?.map(({ ip }) => ip) ?? [];
}

async function write(core: CoreContext, group: string, resource: string, object: KubeObject): Promise<void> {
  if (await ensureStored(core, group, resource, cloneJson(object))) return;
  const store = core.store(group, resource);
  const { metadata, ...content } = object;
  const entry = store.cache.get(store.key('default', 'kubernetes'));
  const present = entry === undefined ? undefined : store.parse(entry);
  if (present !== undefined && Object.entries(content).every(([key, value]) => sameJson(getKey(present, key), value)))
    return;
  try {
    await store.update(
      {
        name: 'kubernetes',
        subresource: '',
        transform: (existing) => {
          const next = existing as KubeObject;
          next.metadata.labels = { ...next.metadata.labels, ...metadata.labels };
          return Object.assign(next, content);
        },
      },
      systemContext({ namespace: 'default' }),
    );
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
}

/** Whether two values are equal, apart from the order of keys and members that defaults add. */
function sameJson(present: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(present) &&
      present.length === wanted.length &&
      wanted.every((item, index) => sameJson(present[index], item))
    );
  if (typeof wanted !== 'object' || wanted === null) return present === wanted;
  return (
    typeof present === 'object' &&
    present !== null &&
    Object.entries(wanted).every(([key, value]) => sameJson(Reflect.get(present, key), value))
  );
}
