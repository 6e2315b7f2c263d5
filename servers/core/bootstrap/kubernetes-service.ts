import type { CoreContext } from '#servers/core/context/core-context.ts';
import { objectNowMs } from '#shared/apimachinery/chance/object-clock.ts';
import { objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { ensureStored } from './ensure-object.ts';

export interface KubernetesServiceOptions {
  /** First address of the service range. */
  readonly clusterIP: string;
  readonly securePort: number;
  /** The node port of the Service; 0 for none. */
  readonly nodePort: number;
}

const leftAfterMs = 5_000;

/** Creates the Service `kubernetes` if it is missing. */
export async function ensureKubernetesService(core: CoreContext, options: KubernetesServiceOptions): Promise<void> {
  try {
    await ensureStored(core, '', 'services', kubernetesService(options));
  } catch (error) {
    await freeLeftAddress(core, options.clusterIP);
    throw error;
  }
}

/**
 * Releases the address if a server crashed after it allocated the address and before it created the Service: otherwise
 * no server could create the Service. A running server needs less than {@link leftAfterMs} between the two steps.
 */
async function freeLeftAddress(core: CoreContext, address: string): Promise<void> {
  const [addresses, services] = [core.store('networking.k8s.io', 'ipaddresses'), core.store('', 'services')];
  await Promise.all([addresses.cache.waitForCurrent(), services.cache.waitForCurrent()]);
  const entry = addresses.cache.get(addresses.key('', address));
  if (entry === undefined || services.cache.get(services.key('default', 'kubernetes')) !== undefined) return;
  const { metadata, ...rest } = addresses.parse(entry);
  const parent = objectAt(rest, 'spec', 'parentRef');
  const ours =
    stringAt(parent, 'resource') === 'services' &&
    stringAt(parent, 'namespace') === 'default' &&
    stringAt(parent, 'name') === 'kubernetes';
  // A time that is far in the future is of a clock that was set back since.
  const ageMs = Math.abs(objectNowMs() - Date.parse(metadata.creationTimestamp ?? ''));
  if (!ours || ageMs < leftAfterMs) return;
  await addresses.delete(address, { preconditions: { uid: metadata.uid ?? '' } }, systemContext());
}

function kubernetesService({ clusterIP, nodePort, securePort }: KubernetesServiceOptions): KubeObject {
  const port = { name: 'https', port: 443, protocol: 'TCP', targetPort: securePort };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      clusterIP,
      ipFamilyPolicy: 'SingleStack',
      sessionAffinity: 'None',
      ports: [nodePort > 0 ? { ...port, nodePort } : port],
      type: nodePort > 0 ? 'NodePort' : 'ClusterIP',
    },
  };
}
