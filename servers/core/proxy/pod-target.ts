import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import { numberAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { globalUnicast } from './global-unicast.ts';
import { parseTargetId } from './target-id.ts';
import { targetAt, type ProxyTarget, type TargetDependencies } from './target.ts';

/** What the proxy needs to know of a pod. */
interface PodAddress {
  /** Absent if the proxy may not connect to it. */
  readonly address: string | undefined;
  /** The port of the first container that names one, or the empty string. */
  readonly firstPort: string;
}

/** By the entry of the cache, which is another one after each change of the pod. */
const podAddresses = new WeakMap<CacheEntry, PodAddress>();

/** The target of `pods/<id>/proxy` (pkg/registry/core/pod/strategy.go, ResourceLocation). */
export async function podTarget(
  { core, agents }: TargetDependencies,
  namespace: string,
  id: string,
): Promise<ProxyTarget> {
  const wanted = parseTargetId(id);
  if (wanted === undefined) throw newBadRequest(`invalid pod request ${goQuote(id)}`);
  const pods = core.store('', 'pods');
  const entry = await pods.get(namespace, wanted.name);
  let podAddress = podAddresses.get(entry);
  if (podAddress === undefined) podAddresses.set(entry, (podAddress = podAddressOf(pods.parse(entry))));
  if (podAddress.address === undefined) throw newBadRequest('address not allowed');
  return targetAt(wanted.scheme, podAddress.address, wanted.port === '' ? podAddress.firstPort : wanted.port, agents);
}

function podAddressOf(pod: KubeObject): PodAddress {
  return {
    address: globalUnicast(stringAt(objectsAt(pod, 'status', 'podIPs')[0], 'ip')),
    firstPort: firstPort(pod),
  };
}

function firstPort(pod: KubeObject): string {
  for (const container of objectsAt(pod, 'spec', 'containers')) {
    const port = objectsAt(container, 'ports')[0];
    if (port !== undefined) return String(numberAt(port, 'containerPort') ?? '');
  }
  return '';
}
