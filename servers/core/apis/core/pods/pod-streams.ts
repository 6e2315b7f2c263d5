import type { RestDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { passUpgradeOn } from '#servers/core/kubelet/pass-upgrade-on.ts';
import {
  kubeletStreamQuery,
  streamOptions,
  streamsOf,
  type StreamSubresource,
} from '#servers/core/kubelet/pod-stream-options.ts';
import { translatedProtocol, translateTerminal } from '#servers/core/kubelet/translate-terminal.ts';
import { isTunnelProtocol, tunnelSpdy } from '#servers/core/kubelet/tunnel-spdy.ts';
import { asksForWebSocket } from '#servers/core/kubelet/websocket-handshake.ts';
import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import type { SubresourceDefinition } from '#shared/registry/define-resource.ts';
import { chooseContainer } from './pod-container.ts';

type PodStreamDependencies = Pick<RestDependencies, 'core' | 'kubelets' | 'gates' | 'requireVerb'>;

const kubeletPaths = { exec: 'exec', attach: 'attach', portforward: 'portForward' } as const;

/**
 * `exec` and `attach`, which name a container, and `portforward`, which does not (pkg/registry/core/pod,
 * streamLocation).
 */
export function podStream(dependencies: PodStreamDependencies, subresource: StreamSubresource): SubresourceDefinition {
  const { core, kubelets, gates } = dependencies;
  return {
    connectOptions: ({ info }) => streamOptions(subresource, info.query),
    async connect(context, name, changed) {
      const { info } = context;
      const options = changed ?? streamOptions(subresource, info.query);
      // A WebSocket request is a GET, for which the verb `get` would otherwise be enough.
      if (gates.AuthorizePodWebsocketUpgradeCreatePermission && info.verb !== 'create')
        await dependencies.requireVerb(context, 'create');
      const pods = core.store('', 'pods');
      const pod = pods.parse(await pods.get(info.namespace, name));
      const container = subresource === 'portforward' ? '' : `/${chooseContainer(pod, stringAt(options, 'container'))}`;
      const node = stringAt(pod, 'spec', 'nodeName');
      if (node === '') throw newBadRequest(`pod ${name} does not have a host assigned`);
      const kubelet = await kubelets.find(context, node);
      const query = kubeletStreamQuery(
        subresource,
        options,
        changed === undefined ? context.exchange.query : undefined,
      );
      const path = `/${kubeletPaths[subresource]}/${info.namespace}/${name}${container}${query === '' ? '' : `?${query}`}`;
      const isLeftToKubelet =
        gates.ExtendWebSocketsToKubelet && kubelet.declaredFeatures.includes('ExtendWebSocketsToKubelet');
      if (
        !isLeftToKubelet &&
        subresource === 'portforward' &&
        gates.PortForwardWebsockets &&
        asksForWebSocket(context, isTunnelProtocol)
      ) {
        await tunnelSpdy(context, kubelets, kubelet, path);
      } else if (
        !isLeftToKubelet &&
        subresource !== 'portforward' &&
        gates.TranslateStreamCloseWebsocketRequests &&
        asksForWebSocket(context, (protocol) => protocol === translatedProtocol)
      ) {
        await translateTerminal(context, kubelets, kubelet, path, streamsOf(options));
      } else {
        await passUpgradeOn(context, kubelets, kubelet, path);
      }
    },
  };
}
