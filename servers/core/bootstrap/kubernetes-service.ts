import { cloneJson } from '../../../shared/apimachinery/clone.ts';
import { networkInterfaces } from 'node:os';
import { hasReason } from '../../../shared/apimachinery/status.ts';
import { objectAt, stringAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import type { CoreContext } from '../core-context.ts';
import { ensureObject } from './ensure-object.ts';
import { systemContext } from './system-context.ts';

export interface KubernetesServiceOptions {
  /** First address of the service range. */
  readonly clusterIP: string;
  /** Where clients reach the gateway; undefined: no endpoints are written. */
  readonly advertiseAddress: string | undefined;
  readonly securePort: number;
}

const leftAfterMs = 5_000;

/** Post-start hook `bootstrap-controller`: the Service `kubernetes` and where it leads. */
export async function ensureKubernetesService(core: CoreContext, options: KubernetesServiceOptions): Promise<void> {
  await ensureService(core, options);
  if (options.advertiseAddress === undefined) return;
  const { advertiseAddress: ip, securePort: port } = options;
  const ports = [{ name: 'https', port, protocol: 'TCP' }];
  await writeAddress(core, '', 'endpoints', {
    apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'kubernetes', namespace: 'default', labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip }], ports }],
  });
  await writeAddress(core, 'discovery.k8s.io', 'endpointslices', {
    apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 'kubernetes', namespace: 'default', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    addressType: ip.includes(':') ? 'IPv6' : 'IPv4', endpoints: [{ addresses: [ip], conditions: { ready: true } }], ports,
  });
}

async function ensureService(core: CoreContext, options: KubernetesServiceOptions): Promise<void> {
  try {
    await ensureObject(core, '', 'services', kubernetesService(options));
  } catch (error) {
    await freeLeftAddress(core, options.clusterIP);
    throw error;
  }
}

/**
 * A server that died between taking the address and making the Service left the address behind; nobody could make the
 * Service then. One that is just at it holds its address for less than {@link leftAfterMs}.
 */
async function freeLeftAddress(core: CoreContext, address: string): Promise<void> {
  const [addresses, services] = [core.store('networking.k8s.io', 'ipaddresses'), core.store('', 'services')];
  await Promise.all([addresses.cache.waitForCurrent(), services.cache.waitForCurrent()]);
  const entry = addresses.cache.get(addresses.key('', address));
  if (entry === undefined || services.cache.get(services.key('default', 'kubernetes')) !== undefined) return;
  const { metadata, ...rest } = addresses.parse(entry);
  const parent = objectAt(rest, 'spec', 'parentRef');
  const ours = stringAt(parent, 'resource') === 'services' && stringAt(parent, 'namespace') === 'default' && stringAt(parent, 'name') === 'kubernetes';
  if (!ours || Date.now() - Date.parse(metadata.creationTimestamp ?? '') < leftAfterMs) return;
  await addresses.delete(systemContext(), address, { preconditions: { uid: metadata.uid ?? '' } });
}

function kubernetesService(options: KubernetesServiceOptions): KubeObject {
  const ip = options.clusterIP;
  return {
    apiVersion: 'v1', kind: 'Service',
    metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      clusterIP: ip, clusterIPs: [ip], ipFamilies: [ip.includes(':') ? 'IPv6' : 'IPv4'], ipFamilyPolicy: 'SingleStack',
      ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: options.securePort }], sessionAffinity: 'None', type: 'ClusterIP',
    },
  };
}

async function writeAddress(core: CoreContext, group: string, resource: string, object: KubeObject): Promise<void> {
  if (await ensureObject(core, group, resource, cloneJson(object))) return;
  const { metadata: _metadata, ...content } = object;
  try {
    await core.store(group, resource).update(systemContext('default'), {
      name: 'kubernetes', subresource: '', retryOnConflict: true, transform: (existing) => Object.assign(existing as KubeObject, content),
    });
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
}

/** The flag's address; without one the first address of this machine that others can reach. */
export function advertisedAddress(flag: string): string | undefined {
  if (flag !== '') return flag;
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []).filter((address) => !address.internal);
  const reachable = all.find((address) => address.family === 'IPv4') ?? all.find((address) => !address.address.startsWith('fe80'));
  return reachable?.address;
}
