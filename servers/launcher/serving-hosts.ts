import { isIP, isIPv4 } from 'node:net';
import { hostname } from 'node:os';
import { domainToASCII } from 'node:url';
import { canonicalAddress, parseRange, numberToAddress } from '#shared/apimachinery/net/address-range.ts';
import { machineAddresses } from '#shared/server/options/machine-addresses.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { serviceRanges } from '#shared/server/options/service-ranges.ts';

const loopback = { IPv4: '127.0.0.1', IPv6: '::1' } as const;
/** A name that all clients accept in a certificate; many machines have names with underscores. */
const dnsName = /^(?!-)[a-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9_-]{1,63}(?<!-))*$/i;
const longestName = 253;

/** Names and addresses under which clients reach the server, pods included. */
export function servingHosts(options: ServerOptions, machine = hostname()): string[] {
  const addresses = isEverywhere(options.bindAddress) ? ownAddresses() : [options.bindAddress];
  const hosts = [
    'localhost',
    machine,
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
    loopback.IPv4,
    loopback.IPv6,
    ...addresses,
    options.advertiseAddress,
    withoutPort(options.externalHostname),
    ...serviceRanges(options).map(firstAddress),
  ];
  return [...new Set(hosts.flatMap(certificateNames))];
}

/**
 * The address by which a client on this machine reaches a server that listens on `bindAddress`. A network namespace may
 * have no loopback addresses, or those of one family only.
 */
export function reachableAddress(bindAddress: string): string {
  if (!isEverywhere(bindAddress)) return bindAddress;
  const there = ownAddresses();
  // A socket on `::` takes connections over IPv4, too.
  const wanted = bindAddress === '::' ? [loopback.IPv4, loopback.IPv6] : [loopback.IPv4];
  const usable = there.filter((address) => bindAddress === '::' || isIPv4(address));
  return (
    wanted.find((address) => usable.includes(address)) ??
    usable.find((address) => !address.startsWith('fe80')) ??
    loopback.IPv4
  );
}

function isEverywhere(bindAddress: string): boolean {
  return bindAddress === '0.0.0.0' || bindAddress === '::';
}

function ownAddresses(): string[] {
  return machineAddresses().map(({ address }) => address.split('%', 1)[0] ?? '');
}

/** `--external-hostname` may name a port. */
function withoutPort(host: string): string {
  return isIP(host) !== 0 ? host : host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}

/**
 * A host as certificates name it. Empty for one that no certificate can name: the whole certificate would be refused by
 * some clients, and made anew at each start.
 */
function certificateNames(host: string): string[] {
  if (isIP(host) !== 0) return addressForms(canonicalAddress(host));
  // For ASCII the function would rewrite names such as `10`, which it takes for an address.
  const name = (/^[\0-\x7f]*$/.test(host) ? host : domainToASCII(host)).replace(/\.$/, '');
  return name.length <= longestName && dnsName.test(name) ? [name] : [];
}

/** Clients compare an IPv4 address that is written in IPv6 in one form or the other. */
function addressForms(address: string): string[] {
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(address);
  if (mapped === null) return [address];
  const [high, low] = [BigInt(`0x${mapped[1]}`), BigInt(`0x${mapped[2]}`)];
  return [address, numberToAddress((high << 16n) | low, 'IPv4')];
}

/** The address of the `kubernetes` Service: the first address of a CIDR. */
function firstAddress(cidr: string): string {
  const range = parseRange(cidr);
  return range === undefined ? '' : numberToAddress(range.first + 1n, range.family);
}
