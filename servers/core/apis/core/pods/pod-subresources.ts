import type { RestDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { podProxy } from '#servers/core/proxy/connect-proxy.ts';
import type { SubresourceDefinition } from '#shared/registry/define-resource.ts';
import { disabledPodFields } from './disabled-pod-fields.ts';
import { bindPod } from './pod-binding.ts';
import { ephemeralContainersView } from './pod-ephemeral-containers.ts';
import { evictPod } from './pod-eviction.ts';
import { podLog } from './pod-log.ts';
import { resizeView } from './pod-resize.ts';
import { podStream } from './pod-streams.ts';

/** The subresources of pods except `status`. */
export function podSubresources({
  core,
  kubelets,
  proxyAgents,
  gates,
  allowPrivileged,
  requireVerb,
}: RestDependencies): Readonly<Record<string, SubresourceDefinition>> {
  const streams = { core, kubelets, gates, requireVerb };
  const settings = { gates, allowPrivileged };
  const dropDisabled = disabledPodFields(gates);
  return {
    attach: podStream(streams, 'attach'),
    binding: { create: bindPod(core) },
    eviction: { create: evictPod(core) },
    ephemeralcontainers: { view: ephemeralContainersView(dropDisabled, settings) },
    exec: podStream(streams, 'exec'),
    log: { connect: podLog(core, kubelets, gates.PodLogsQuerySplitStreams), isNegotiated: true },
    portforward: podStream(streams, 'portforward'),
    proxy: podProxy({ core, agents: proxyAgents }),
    resize: { view: resizeView(dropDisabled, settings) },
  };
}
