import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * The addresses for which Go's IsGlobalUnicast is false: unspecified, loopback, link-local (such as the metadata
 * services of clouds), multicast and broadcast.
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
 * The canonical text of an address if the proxy may connect to it; undefined otherwise. IPv4 addresses may have leading
 * zeros, which are read as decimal (k8s.io/utils/net ParseIPSloppy), and may be IPv4-mapped IPv6 addresses.
 */
export function globalUnicast(text: string): string | undefined {
  const plain = /^[\d.]+$/.test(text)
    ? text
        .split('.')
        .map((part) => part.replace(/^0+(?=\d)/, ''))
        .join('.')
    : text;
  // Only link-local addresses have a zone.
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
