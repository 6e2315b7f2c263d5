import { isIPv6 } from 'node:net';
import { machineAddresses } from './machine-addresses.ts';
import type { ServerOptions } from './server-options.ts';

const everywhere: ReadonlySet<string> = new Set(['', '0.0.0.0', '::']);

/**
 * The address under which other machines and pods reach the server: `--advertise-address`, or that of `--bind-address`,
 * or the first of this machine that is not internal, in the family of `--bind-address` if there is one
 * (apimachinery/pkg/util/net ResolveBindAddress).
 */
export function advertisedAddress({
  advertiseAddress,
  bindAddress,
  serviceClusterIpRange,
}: Pick<ServerOptions, 'advertiseAddress' | 'bindAddress' | 'serviceClusterIpRange'>): string | undefined {
  if (!everywhere.has(advertiseAddress)) return advertiseAddress;
  if (!everywhere.has(bindAddress) && !isLoopback(bindAddress)) return bindAddress;
  const all = machineAddresses().filter(({ internal, address }) => !internal && !address.startsWith('fe80'));
  // The range without the flag is of IPv4, and the Service `kubernetes` has an address and endpoints of one family.
  const family = serviceClusterIpRange !== '' && isIPv6(bindAddress) ? 'IPv6' : 'IPv4';
  return (all.find((address) => address.family === family) ?? all[0])?.address;
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}
