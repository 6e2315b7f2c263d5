import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * What Go's IsGlobalUnicast refuses: the unspecified address, loopback, link-local (where clouds have their metadata),
 * multicast, broadcast.
 */
const refused = new BlockList();
refused.addAddress('0.0.0.0');
refused.addSubnet('127.0.0.0', 8);
refused.addSubnet('169.254.0.0', 16);
refused.addSubnet('224.0.0.0', 4);
refused.addAddress('255.255.255.255');
refused.addAddress('::', 'ipv6');
refused.addAddress('::1', 'ipv6');
refused.addSubnet('fe80::', 10, 'ipv6');
refused.addSubnet('ff00::', 8, 'ipv6');

/**
 * The one spelling of an address that may be connected to; undefined for all others. IPv4 addresses may have leading
 * zeros, read as decimal (k8s.io/utils/net ParseIPSloppy), and may be written as IPv6 ones.
 */
export function globalUnicast(text: string): string | undefined {
  const plain = /^[\d.]+$/.test(text)
    ? text
        .split('.')
        .map((part) => part.replace(/^0+(?=\d)/, ''))
        .join('.')
    : text;
  // A zone belongs to link-local addresses alone.
  if (isIP(plain) === 0 || plain.includes('%')) return undefined;
  const address = isIPv4(plain) ? plain : (mappedIPv4(plain) ?? plain);
  return refused.check(address, isIPv4(address) ? 'ipv4' : 'ipv6') ? undefined : address;
}

/** The IPv4 address in `::ffff:a.b.c.d`, however it is written. */
function mappedIPv4(address: string): string | undefined {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const bytes = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return bytes.flatMap((pair) => [pair >> 8, pair & 255]).join('.');
}
