import { getKey } from '../../shared/apimachinery/json.ts';
import { defineResource, type ResourceDefinition, type SubresourceDefinition } from '../../shared/registry/define-resource.ts';
import type { Conversion, Creator } from '../../shared/registry/rest.ts';
import { scaleView } from '../../shared/registry/scale-view.ts';
import type { Strategy } from '../../shared/registry/strategy.ts';
import { autoscalerConversion } from './autoscaling/autoscaler-conversion.ts';
import { approvalView } from './certificates/signing-requests.ts';
import { componentStatusReader } from './core/component-statuses.ts';
import { disabledPodFields } from './core/disabled-pod-fields.ts';
import { namespaceFinalizeView } from './core/namespaces.ts';
import { bindPod } from './core/pod-binding.ts';
import { evictPod } from './core/pod-eviction.ts';
import { ephemeralContainersView } from './core/pod-ephemeral-containers.ts';
import { podLog } from './core/pod-log.ts';
import { resizeView } from './core/pod-resize.ts';
import { podStream, type PodStreamParts } from './core/pod-streams.ts';
import { applyTokenDefaults, requestToken, type TokenIssuing } from './core/service-account-token.ts';
import type { CoreContext } from './core-context.ts';
import { nodeProxy, podProxy, serviceProxy } from './proxy/connect-proxy.ts';
import type { KubeletConnections } from './kubelet/kubelet-connections.ts';
import { eventConversion } from './events/event-conversion.ts';
import { gates } from './gates/gates.ts';
import { claimConversion, claimTemplateConversion } from './resource/claim-conversion.ts';
import { sliceConversion } from './resource/slice-conversion.ts';

export interface DefinitionParts {
  readonly core: CoreContext;
  readonly kubelets: KubeletConnections;
  readonly requireVerb: PodStreamParts['requireVerb'];
  readonly strategyOf: (group: string, resource: string) => Strategy;
  readonly tokens: TokenIssuing;
  /** Review APIs by `group/resource`. */
  readonly reviews: Readonly<Record<string, Creator>>;
}

/** Versions whose shape is not that of the stored one, by `group/resource`. */
const conversions: Readonly<Record<string, Readonly<Record<string, Conversion>>>> = {
  'autoscaling/horizontalpodautoscalers': { v1: autoscalerConversion },
  'events.k8s.io/events': { v1: eventConversion },
  'resource.k8s.io/resourceclaims': { v1beta1: claimConversion },
  'resource.k8s.io/resourceclaimtemplates': { v1beta1: claimTemplateConversion },
  'resource.k8s.io/resourceslices': { v1beta1: sliceConversion },
};

/** Every built-in resource with what it does beyond its facts. */
export function coreDefinitions(parts: DefinitionParts, resources: Iterable<{ readonly group: string; readonly resource: string }>): ResourceDefinition[] {
  const subresources = subresourcesOf(parts);
  const definitions = new Map<string, ResourceDefinition>();
  for (const { group, resource } of resources) {
    const key = `${group}/${resource}`;
    if (definitions.has(key)) continue;
    const below = getKey(subresources, key);
    const converted = getKey(conversions, key);
    const creator = key === '/bindings' ? createBinding(parts.core) : getKey(parts.reviews, key);
    definitions.set(key, defineResource({
      group, resource, strategy: parts.strategyOf(group, resource),
      ...(below ? { subresources: below } : {}),
      ...(creator ? { creator } : {}),
      ...(key === '/componentstatuses' ? { reader: componentStatusReader(parts.core.storage) } : {}),
      ...(converted ? { conversions: converted } : {}),
    }));
  }
  return [...definitions.values()];
}

function subresourcesOf({ core, kubelets, requireVerb, tokens }: DefinitionParts): Record<string, Readonly<Record<string, SubresourceDefinition>>> {
  const scaleOf = (resource: string): Readonly<Record<string, SubresourceDefinition>> => ({ scale: { view: scaleView({ group: 'apps', resource }) } });
  const streams = { core, kubelets, gates, requireVerb };
  const dropFromPods = disabledPodFields(gates);
  return {
    '/namespaces': { finalize: { view: namespaceFinalizeView } },
    '/nodes': { proxy: { connect: nodeProxy(kubelets) } },
    '/pods': {
      attach: podStream(streams, 'attach'),
      binding: { create: bindPod(core) },
      eviction: { create: evictPod(core) },
      ephemeralcontainers: { view: ephemeralContainersView(dropFromPods) },
      exec: podStream(streams, 'exec'),
      log: { connect: podLog(core, kubelets, gates.PodLogsQuerySplitStreams), isNegotiated: true },
      portforward: podStream(streams, 'portforward'),
      proxy: { connect: podProxy(core) },
      resize: { view: resizeView(dropFromPods) },
    },
    '/replicationcontrollers': { scale: { view: scaleView({ group: '', resource: 'replicationcontrollers' }, 'labels') } },
    '/services': { proxy: { connect: serviceProxy(core) } },
    '/serviceaccounts': { token: { create: requestToken(core, tokens), applyDefaults: applyTokenDefaults } },
    'apps/deployments': scaleOf('deployments'),
    'apps/replicasets': scaleOf('replicasets'),
    'apps/statefulsets': scaleOf('statefulsets'),
    'resource.k8s.io/resourceclaims': { status: { isTable: false } },
    'certificates.k8s.io/certificatesigningrequests': { approval: { view: approvalView } },
  };
}

/** POST to `bindings` is the binding of the pod that the body names. */
function createBinding(core: CoreContext): Creator {
  const bind = bindPod(core);
  return (context, binding) => bind(context, '', binding);
}
