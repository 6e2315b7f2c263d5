import { addressToNumber, familyOf, numberToAddress, sloppyAddress } from '#shared/apimachinery/net/address-range.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import { headerValue } from '#shared/request/header-values.ts';

const mappedStart = 0xffff_0000_0000n;
const mappedEnd = 0xffff_ffff_ffffn;

/** Connections carry many requests. */
let lastRemote = '';
let lastAddresses: readonly string[] = [];

/**
 * The addresses that a request came from: those that proxies tell, which clients can forge, and last the peer of the
 * connection (apimachinery/pkg/util/net, SourceIPs).
 */
export function sourceAddresses(exchange: Exchange): readonly string[] {
  const { headers, remoteAddress } = exchange;
  if (headers['x-forwarded-for'] === undefined && headers['x-real-ip'] === undefined) {
    if (remoteAddress !== lastRemote) {
      const remote = canonicalAddress(remoteAddress);
      lastAddresses = remote === undefined ? [] : [remote];
      lastRemote = remoteAddress;
    }
    return lastAddresses;
  }
  const addresses: string[] = [];
  for (const part of headerValue(exchange, 'x-forwarded-for').split(',')) {
    const address = canonicalAddress(part.trim());
    if (address !== undefined) addresses.push(address);
  }
  const real = canonicalAddress(headerValue(exchange, 'x-real-ip'));
  if (real !== undefined && !addresses.includes(real)) addresses.push(real);
  const remote = canonicalAddress(remoteAddress);
  if (remote !== undefined && addresses.at(-1) !== remote) addresses.push(remote);
  return addresses;
}

/** An address as Go prints it; undefined for other text. */
function canonicalAddress(text: string): string | undefined {
  const address = text === '' ? undefined : sloppyAddress(text);
  if (address === undefined || !address.includes(':')) return address;
  const number = addressToNumber(address);
  return number >= mappedStart && number <= mappedEnd
    ? numberToAddress(number - mappedStart, 'IPv4')
    : numberToAddress(number, familyOf(address));
}
