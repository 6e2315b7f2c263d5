import { goQuote } from '#shared/apimachinery/text/go-format.ts';

/** An IP address of 4 or 16 bytes. */
export interface Address {
  readonly bytes: Uint8Array;
  readonly zone: string;
}

/** Thrown if a text is no address; the message is that of Go's net/netip. */
export class AddressError extends Error {
  constructor(text: string, message: string, at = '') {
    super(`ParseAddr(${goQuote(text)}): ${message}${at === '' ? '' : ` (at ${goQuote(at)})`}`);
    this.name = 'AddressError';
  }
}

/** @throws AddressError */
export function parseAddress(text: string): Address {
  const first = /[.:%]/.exec(text)?.[0];
  if (first === '.') return { bytes: parseFour(text, text), zone: '' };
  if (first === ':') return parseSix(text);
  throw new AddressError(text, first === '%' ? 'missing IPv6 address' : 'unable to parse IP');
}

function parseFour(whole: string, text: string): Uint8Array {
  const fields: number[] = [];
  let value = 0;
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character >= '0' && character <= '9') {
      if (length === 1 && value === 0) throw new AddressError(whole, 'IPv4 field has octet with leading zero');
      value = value * 10 + Number(character);
      length++;
      if (value > 255) throw new AddressError(whole, 'IPv4 field has value >255');
    } else if (character === '.') {
      if (at === 0 || at === text.length - 1 || text[at - 1] === '.')
        throw new AddressError(whole, 'IPv4 field must have at least one digit', text.slice(at));
      if (fields.length === 3) throw new AddressError(whole, 'IPv4 address too long');
      fields.push(value);
      value = 0;
      length = 0;
    } else throw new AddressError(whole, 'unexpected character', text.slice(at));
  }
  if (fields.length < 3) throw new AddressError(whole, 'IPv4 address too short');
  return Uint8Array.of(...fields, value);
}

function parseSix(text: string): Address {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') throw new AddressError(text, 'zone must be a non-empty string');
  let rest = percent < 0 ? text : text.slice(0, percent);
  const bytes: number[] = [];
  let ellipsis = -1;
  if (rest.startsWith('::')) {
    ellipsis = 0;
    rest = rest.slice(2);
    if (rest === '') return { bytes: new Uint8Array(16), zone };
  }
  while (bytes.length < 16) {
    const group = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    if (group.length > 4) throw new AddressError(text, 'each group must have 4 or less digits', rest);
    if (group === '') throw new AddressError(text, 'each colon-separated field must have at least one digit', rest);
    if (rest[group.length] === '.') {
      if (ellipsis < 0 && bytes.length !== 12)
        throw new AddressError(text, 'embedded IPv4 address must replace the final 2 fields of the address', rest);
      if (bytes.length + 4 > 16)
        throw new AddressError(text, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest);
      bytes.push(...parseFour(text, rest));
      rest = '';
      break;
    }
    const value = Number.parseInt(group, 16);
    bytes.push(value >> 8, value & 0xff);
    rest = rest.slice(group.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) throw new AddressError(text, 'unexpected character, want colon', rest);
    if (rest.length === 1) throw new AddressError(text, 'colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest.startsWith(':')) {
      if (ellipsis >= 0) throw new AddressError(text, 'multiple :: in address', rest);
      ellipsis = bytes.length;
      rest = rest.slice(1);
      if (rest === '') break;
    }
  }
  if (rest !== '') throw new AddressError(text, 'trailing garbage after address', rest);
  if (bytes.length === 16 && ellipsis >= 0)
    throw new AddressError(text, 'the :: must expand to at least one field of zeros');
  if (bytes.length < 16 && ellipsis < 0) throw new AddressError(text, 'address string too short');
  if (ellipsis >= 0) bytes.splice(ellipsis, 0, ...Array.from({ length: 16 - bytes.length }, () => 0));
  return { bytes: Uint8Array.from(bytes), zone };
}

/** Whether an IPv6 address is a mapped IPv4 address (`::ffff:1.2.3.4`). */
export function isMappedAddress({ bytes }: Address): boolean {
  return (
    bytes.length === 16 && bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff
  );
}

/** The canonical text: lower case, the longest run of zeros as `::`. */
export function formatAddress({ bytes }: Address): string {
  if (bytes.length === 4) return bytes.join('.');
  if (isMappedAddress({ bytes, zone: '' })) return `::ffff:${bytes.subarray(12).join('.')}`;
  const groups = Array.from({ length: 8 }, (_, at) => ((bytes[at * 2] ?? 0) << 8) | (bytes[at * 2 + 1] ?? 0));
  let [start, length] = [-1, 1];
  for (let from = 0; from < 8; from++) {
    let to = from;
    while (to < 8 && groups[to] === 0) to++;
    if (to - from > length) [start, length] = [from, to - from];
  }
  const hex = groups.map((group) => group.toString(16));
  return start < 0 ? hex.join(':') : `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

/** Whether the first `bits` bits of two addresses of the same family are equal. */
export function sharePrefix(a: Uint8Array, b: Uint8Array, bits: number): boolean {
  const whole = bits >> 3;
  for (let at = 0; at < whole; at++) if (a[at] !== b[at]) return false;
  const mask = (0xff00 >> (bits & 7)) & 0xff;
  return mask === 0 || (((a[whole] ?? 0) ^ (b[whole] ?? 0)) & mask) === 0;
}

/** The address with all bits after the first `bits` set to zero. */
export function maskAddress({ bytes }: Address, bits: number): Address {
  return {
    bytes: bytes.map((byte, at) => byte & ((0xff00 >> Math.max(0, Math.min(8, bits - at * 8))) & 0xff)),
    zone: '',
  };
}
