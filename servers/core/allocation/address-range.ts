import { isIP } from 'node:net';

/** A CIDR as numbers; addresses are compared as bigint so that both families share the code. */
export interface AddressRange {
  readonly cidr: string;
  readonly family: 'IPv4' | 'IPv6';
  readonly first: bigint;
  readonly last: bigint;
}

/** Parses `10.0.0.0/16` or `fd00::/108`; undefined when it is no CIDR. */
export function parseRange(cidr: string): AddressRange | undefined {
  const [address = '', bits = ''] = cidr.split('/');
  const version = isIP(address);
  if (version === 0 || !/^\d+$/.test(bits)) return undefined;
  const width = version === 4 ? 32 : 128;
  const prefix = Number(bits);
  if (prefix > width) return undefined;
  const size = 1n << BigInt(width - prefix);
  const first = (addressToNumber(address) / size) * size;
  return { cidr, family: version === 4 ? 'IPv4' : 'IPv6', first, last: first + size - 1n };
}

/** Addresses that may be given out: neither the network's own nor, in IPv4, the broadcast address. */
export function usableBounds(range: AddressRange): { readonly low: bigint; readonly high: bigint } {
  if (range.first === range.last) return { low: range.first, high: range.last };
  return { low: range.first + 1n, high: range.family === 'IPv4' ? range.last - 1n : range.last };
}

export function addressToNumber(address: string): bigint {
  if (isIP(address) === 4) return address.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n);
  const [head = '', tail] = address.toLowerCase().split('::');
  const left = words(head);
  const right = tail === undefined ? [] : words(tail);
  const middle = tail === undefined ? [] : Array<bigint>(8 - left.length - right.length).fill(0n);
  return [...left, ...middle, ...right].reduce((value, word) => value * 65_536n + word, 0n);
}

function words(text: string): bigint[] {
  if (text === '') return [];
  return text.split(':').flatMap((word) => {
    if (!word.includes('.')) return [BigInt(`0x${word}`)];
    const number = addressToNumber(word);
    return [number >> 16n, number & 0xffffn];
  });
}

/** Canonical text, IPv6 by RFC 5952. */
export function numberToAddress(value: bigint, family: 'IPv4' | 'IPv6'): string {
  if (family === 'IPv4') return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');
  const parts = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  return compress(parts);
}

/** Replaces the first longest run of two zero words or more. */
function compress(parts: readonly string[]): string {
  let best = { start: -1, length: 1 };
  for (let start = 0; start < parts.length; start += 1) {
    let length = 0;
    while (parts[start + length] === '0') length += 1;
    if (length > best.length) best = { start, length };
  }
  if (best.start < 0) return parts.join(':');
  return `${parts.slice(0, best.start).join(':')}::${parts.slice(best.start + best.length).join(':')}`;
}

/** The canonical text of an address. */
export function canonicalAddress(address: string): string {
  const family = isIP(address) === 4 ? 'IPv4' : 'IPv6';
  return numberToAddress(addressToNumber(address), family);
}
