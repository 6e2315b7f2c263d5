import { isIPv4 } from 'node:net';
import { hostname } from 'node:os';
import { machineAddresses } from '#shared/server/options/machine-addresses.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';

const defaultServiceRange = '10.0.0.0/24';

/** Names and addresses under which clients reach the server, pods included. */
export function servingHosts(options: ServerOptions): string[] {
  const everywhere = options.bindAddress === '0.0.0.0' || options.bindAddress === '::';
  const addresses = everywhere
    ? machineAddresses().map(({ address }) => address.split('%', 1)[0] ?? '')
    : [options.bindAddress];
  const ranges = (options.serviceClusterIpRange || defaultServiceRange).split(',');
  const hosts = [
    'localhost',
    hostname(),
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
    '127.0.0.1',
    '::1',
    ...addresses,
    options.advertiseAddress,
    options.externalHostname,
    ...ranges.map(firstAddress),
  ];
  return [...new Set(hosts)].filter((host) => host !== '');
}

/** The address of the `kubernetes` Service: the first address of a CIDR. */
function firstAddress(cidr: string): string {
  const address = cidr.trim().split('/', 1)[0] ?? '';
  if (!isIPv4(address)) return address.endsWith('::') ? `${address}1` : '';
  const octets = address.split('.').map(Number);
  octets[3] = (octets[3] ?? 0) + 1;
  return octets.join('.');
}
