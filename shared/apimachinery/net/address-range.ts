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
  const [given = '', bits = ''] = cidr.split('/');
  const address = sloppyAddress(given);
  if (address === undefined || !/^\d+$/.test(bits)) return undefined;
  const width = widthOf(address);
  const prefix = Number(bits);
  if (prefix > width) return undefined;
  const size = 1n << BigInt(width - prefix);
  const first = (addressToNumber(address) / size) * size;
  return { cidr, family: familyOf(address), first, last: first + size - 1n };
}

/** The range as a CIDR, from its first address on. */
export function formatRange({ family, first, last }: AddressRange): string {
  const width = family === 'IPv4' ? 32 : 128;
  return `${numberToAddress(first, family)}/${width + 1 - (last - first + 1n).toString(2).length}`;
}

/** Addresses that may be given out: neither the network's own nor, in IPv4, the broadcast address. */
export function usableBounds(range: AddressRange): { readonly low: bigint; readonly high: bigint } {
  if (range.first === range.last) return { low: range.first, high: range.last };
  return { low: range.first + 1n, high: range.family === 'IPv4' ? range.last - 1n : range.last };
}

/** The address without leading zeros in its IPv4 part, which old clients wrote; undefined for other text. */
export function sloppyAddress(text: string): string | undefined {
  // Node.js accepts no leading zeros in IPv4, so nearly all addresses are returned as they are.
  if (isIP(text) === 4) return text;
  const plain = text.replace(/\d+/g, (digits, at: number) =>
    isOfIpv4(text, at, digits.length) ? withoutLeadingZeros(digits) : digits,
  );
  return isIP(plain) === 0 || plain.includes('%') ? undefined : plain;
}

/** Whether digits belong to an IPv4 part: a dot comes before them, or they begin the part and a dot follows. */
function isOfIpv4(text: string, at: number, length: number): boolean {
  const before = text[at - 1] ?? '';
  return before === '.' || ((before === '' || before === ':') && text[at + length] === '.');
}

function withoutLeadingZeros(digits: string): string {
  let at = 0;
  while (digits[at] === '0' && at < digits.length - 1) at++;
  return digits.slice(at);
}

/** Bits of an address. */
export function widthOf(address: string): number {
  return address.includes(':') ? 128 : 32;
}

export function familyOf(address: string): 'IPv4' | 'IPv6' {
  return address.includes(':') ? 'IPv6' : 'IPv4';
}

/** An address as a number; leading zeros are accepted. */
export function addressToNumber(address: string): bigint {
  if (familyOf(address) === 'IPv4') return address.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n);
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
  // Node.js accepts only the canonical text of IPv4.
  if (isIP(address) === 4) return address;
  return numberToAddress(addressToNumber(address), familyOf(address));
}
