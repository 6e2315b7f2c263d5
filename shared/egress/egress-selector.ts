import type { Family } from '#shared/observability/metrics/family.ts';
import { readEgressConfiguration } from './configuration/egress-configuration.ts';
import type { EgressSelection } from './configuration/egress-selection.ts';
import type { EgressDial, EgressNetwork } from './dial/egress-dial.ts';
import type { ProxyEndpoint } from './dial/proxy-socket.ts';
import { EgressMetrics } from './egress-metrics.ts';
import { httpConnectDial } from './http-connect/http-connect.ts';
import { followProxyTls } from './proxy-tls.ts';

/** How the connections of a server are made, by the network that they lead to. */
export interface EgressSelector {
  /** Undefined where connections are made directly, as without a configuration. */
  dialer(network: EgressNetwork): EgressDial | undefined;
  /** Whether the configuration names the network, be it for direct connections. */
  has(network: EgressNetwork): boolean;
  metrics(): Family[];
}

/** Connections are made directly. */
export const directEgress: EgressSelector = { dialer: () => undefined, has: () => false, metrics: () => [] };

/**
 * The connections of `--egress-selector-config-file`; without a file they are direct.
 * @param onUnusable told of files of certificates that changed and cannot be used
 * @throws ConfigurationError for a file that cannot be used
 */
export function openEgressSelector(file: string, onUnusable: (error: unknown) => void): EgressSelector {
  if (file === '') return directEgress;
  const metrics = new EgressMetrics();
  const dialers = new Map<string, EgressDial>();
  const selections = readEgressConfiguration(file);
  for (const selection of selections) {
    const dial = dialOf(selection, metrics, onUnusable);
    if (dial !== undefined) dialers.set(selection.name.toLowerCase(), dial);
  }
  const named = new Set(selections.map(({ name }) => name.toLowerCase()));
  return {
    dialer: (network) => dialers.get(network),
    has: (network) => named.has(network),
    metrics: () => metrics.families(),
  };
}

/** An error for a file that cannot be used. */
export function egressSelectorErrors({
  egressSelectorConfigFile: file,
}: {
  egressSelectorConfigFile: string;
}): string[] {
  try {
    openEgressSelector(file, () => undefined);
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [`--egress-selector-config-file ${JSON.stringify(file)}: ${reason}`];
  }
}

function dialOf(
  { proxyProtocol, transport }: EgressSelection,
  metrics: EgressMetrics,
  onUnusable: (error: unknown) => void,
): EgressDial | undefined {
  if (proxyProtocol === 'Direct') return undefined;
  const { tcp, uds } = transport ?? {};
  if (uds !== undefined && proxyProtocol === 'GRPC')
    return metrics.counted(lazyGrpcDial(uds.udsName), { protocol: 'grpc', transport: 'uds' });
  if (uds !== undefined)
    return metrics.counted(httpConnectDial({ address: uds.udsName, path: uds.udsName }), {
      protocol: 'http_connect',
      transport: 'uds',
    });
  const endpoint: ProxyEndpoint = {
    address: hostOfUrl(tcp?.url ?? ''),
    ...(tcp?.tlsConfig && { tls: followProxyTls(tcp.tlsConfig, onUnusable) }),
  };
  return metrics.counted(httpConnectDial(endpoint), { protocol: 'http_connect', transport: 'tcp' });
}

/** HTTP/2 is loaded for the first connection. */
function lazyGrpcDial(path: string): EgressDial {
  let loaded: Promise<EgressDial> | undefined;
  return async (address, signal) => {
    loaded ??= import('./grpc/grpc-dial.ts').then(({ grpcDial }) => grpcDial(path));
    return await (
      await loaded
    )(address, signal);
  };
}

/** `host:port` of a URL, as it is written there. */
function hostOfUrl(url: string): string {
  return url
    .replace(/^https?:\/\//, '')
    .replace(/[/?#][^]*$/, '')
    .replace(/^.*@/, '');
}
