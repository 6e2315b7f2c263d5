import { isIPv6 } from 'node:net';
import { advertisedAddress } from '#shared/server/options/advertised-address.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';

/**
 * Host and port that are published to clients as the address of the API: `--external-hostname`, which may name a port,
 * or else the advertised address (apiserver/pkg/server Config.Complete).
 */
export function externalAddress({
  externalHostname,
  advertiseAddress,
  bindAddress,
  securePort,
  serviceClusterIpRange,
}: ServerOptions): string {
  const host =
    externalHostname || (advertisedAddress({ advertiseAddress, bindAddress, serviceClusterIpRange }) ?? bindAddress);
  if (isIPv6(host)) return `[${host}]:${securePort}`;
  return /^(?:[^:]+|\[[^\]]+\]):\d+$/.test(host) ? host : `${host}:${securePort}`;
}
