import { isIPv6 } from 'node:net';
import { formatRange, parseRange, type AddressRange } from '#shared/apimachinery/net/address-range.ts';
import { goQuote as quote } from '#shared/apimachinery/text/go-format.ts';
import { advertisedAddress } from './advertised-address.ts';
import type { ServerOptions } from './server-options.ts';

const usualRange = '10.0.0.0/24';
const leastAddresses = 8n;
/** Sizes of ranges from here on are 0 in the reference (k8s.io/utils/net RangeSize), which makes them too small. */
const mostBits = { IPv4: 30, IPv6: 126 };

/** `--service-cluster-ip-range` as CIDRs in canonical form, the primary family first. */
export function serviceRanges({ serviceClusterIpRange }: Pick<ServerOptions, 'serviceClusterIpRange'>): string[] {
  return parts(serviceClusterIpRange).flatMap((text) => {
    const range = parseServiceRange(text);
    return range === undefined ? [] : [formatRange(range)];
  });
}

/** Errors of the flag, in the reference's words; one that cannot be read hides the others. */
export function serviceRangeErrors(options: ServerOptions): string[] {
  const given = parts(options.serviceClusterIpRange);
  const [primary, secondary] = given.map(parseServiceRange);
  if (primary === undefined) return ['service-cluster-ip-range[0] is not a valid cidr'];
  if (isTooSmall(primary))
    return [
      'error determining service IP ranges for primary service cidr: the service cluster IP range must be at least 8 IP addresses',
    ];
  if (given.length > 1 && secondary === undefined) return ['service-cluster-ip-range[1] is not an ip net'];
  const errors: string[] = [];
  if (given.length > 2) errors.push('--service-cluster-ip-range must not contain more than two entries');
  if (secondary?.family === primary.family)
    errors.push('--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family');
  return [...errors, ...familyErrors(options, primary)];
}

/** The endpoints of the Service `kubernetes` are of the family of the advertised address. */
function familyErrors(options: ServerOptions, { family, ...range }: AddressRange): string[] {
  const address = advertisedAddress(options);
  const isChosen = options.serviceClusterIpRange !== '';
  if (!isChosen || options.endpointReconcilerType === 'none' || address === undefined) return [];
  return isIPv6(address) === (family === 'IPv6')
    ? []
    : [
        `service IP family ${quote(formatRange({ family, ...range }))} must match public address family ${quote(address)}`,
      ];
}

function parts(text: string): string[] {
  return (text === '' ? usualRange : text).split(',');
}

/** Reads a CIDR as Go does: an IPv4 range may be written in IPv6. */
function parseServiceRange(text: string): AddressRange | undefined {
  const range = /^[^\s/]+\/[^\s/]+$/.test(text) ? parseRange(text) : undefined;
  if (range === undefined || range.family === 'IPv4' || range.first >> 32n !== 0xffffn) return range;
  const low = 0xffff_ffffn;
  return { cidr: range.cidr, family: 'IPv4', first: range.first & low, last: range.last & low };
}

function isTooSmall({ family, first, last }: AddressRange): boolean {
  const size = last - first + 1n;
  return size < leastAddresses || size > 1n << BigInt(mostBits[family]);
}
