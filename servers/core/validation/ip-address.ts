import { isIP } from 'node:net';
import type { Gates } from '#servers/core/gates/gates.ts';
import { invalid, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import {
  addressToNumber,
  canonicalAddress,
  numberToAddress,
  sloppyAddress,
  widthOf,
} from '#shared/apimachinery/net/address-range.ts';

// Addresses in fields that are older than the strict rules (apimachinery/pkg/util/validation/ip.go).

const none: ReadonlySet<string> = new Set();
const notAnAddress = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

/** Validates an address, unless the old object has it: it may be older than the strict rules (KEP-4858). */
export function validateLegacyAddress(
  text: string,
  gates: Gates,
  field: Path,
  before: ReadonlySet<string> = none,
): FieldError[] {
  if (before.has(text)) return [];
  const plain = sloppyAddress(text);
  if (plain === undefined) return [invalid(field, text, notAnAddress)];
  if (!gates.StrictIPCIDRValidation) return [];
  if (isIP(text) === 0) return [invalid(field, text, 'must not have leading 0s')];
  return isMapped(text) ? [invalid(field, text, 'must not be an IPv4-mapped IPv6 address')] : [];
}

/** Validates an address in canonical form. */
export function validateAddress(text: string, field: Path): FieldError[] {
  const plain = sloppyAddress(text);
  if (plain === undefined) return [invalid(field, text, notAnAddress)];
  if (isIP(text) === 0) return [invalid(field, text, 'must not have leading 0s')];
  if (isMapped(text)) return [invalid(field, text, 'must not be an IPv4-mapped IPv6 address')];
  const canonical = canonicalAddress(text);
  return canonical === text ? [] : [invalid(field, text, `must be in canonical form ("${canonical}")`)];
}

/** Whether the text is a CIDR; leading zeros are allowed. */
export function isSloppyCidr(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  return (
    sloppyAddress(address) !== undefined &&
    more.length === 0 &&
    /^\d{1,3}$/.test(bits) &&
    Number(bits) <= widthOf(address)
  );
}

const notANetwork = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

export function validateLegacyCidr(
  text: string,
  gates: Gates,
  field: Path,
  before: ReadonlySet<string> = none,
): FieldError[] {
  if (before.has(text)) return [];
  if (!isSloppyCidr(text)) return [invalid(field, text, notANetwork)];
  return gates.StrictIPCIDRValidation ? validateStrictCidr(text, field) : [];
}

/** Validates a CIDR in canonical form. */
export function validateCidr(text: string, field: Path): FieldError[] {
  if (!isSloppyCidr(text)) return [invalid(field, text, notANetwork)];
  const errors = validateStrictCidr(text, field);
  if (errors.length > 0) return errors;
  const [address = '', bits = ''] = text.split('/');
  const canonical = `${canonicalAddress(address)}/${bits}`;
  return canonical === text ? [] : [invalid(field, text, `must be in canonical form ("${canonical}")`)];
}

function validateStrictCidr(text: string, field: Path): FieldError[] {
  const [address = '', bits = ''] = text.split('/');
  const width = widthOf(address);
  if (isIP(address) === 0 || (bits.length > 1 && bits.startsWith('0')))
    return [invalid(field, text, 'must not have leading 0s in IP or prefix length')];
  if (isMapped(address)) return [invalid(field, text, 'must not have an IPv4-mapped IPv6 address')];
  return hasBitsBeyond(address, Number(bits), width)
    ? [invalid(field, text, 'must not have bits set beyond the prefix length')]
    : [];
}

/** Validates an interface address with its prefix length, in canonical form (IsValidInterfaceAddress). */
export function validateInterfaceAddress(text: string, field: Path): FieldError[] {
  if (!isSloppyCidr(text))
    return [invalid(field, text, 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)')];
  const [given = '', bits = ''] = text.split('/');
  const address = sloppyAddress(given) ?? '';
  const canonical = `${plainAddress(address)}/${isMapped(address) && Number(bits) > 32 ? Number(bits) - 96 : Number(bits)}`;
  return canonical === text ? [] : [invalid(field, text, `must be in canonical form ("${canonical}")`)];
}

/** Validates an address to which a Service or an endpoint may route traffic. */
export function validateEndpointAddress(text: string, field: Path): FieldError[] {
  const plain = sloppyAddress(text);
  if (plain === undefined) return [invalid(field, text, 'must be a valid IP address')];
  const address = canonicalAddress(plain);
  const errors: FieldError[] = [];
  if (address === '0.0.0.0' || address === '::') errors.push(invalid(field, text, `may not be unspecified (${text})`));
  if (address.startsWith('127.') || address === '::1')
    errors.push(invalid(field, text, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'));
  if (address.startsWith('169.254.') || /^fe[89ab]/.test(address))
    errors.push(invalid(field, text, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'));
  if (address.startsWith('224.0.0.') || address.startsWith('ff02:'))
    errors.push(invalid(field, text, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'));
  return errors;
}

/** An address as Go's net.IP prints it: in canonical form, and an IPv4-mapped address as IPv4. */
export function plainAddress(address: string): string {
  return isMapped(address)
    ? numberToAddress(addressToNumber(address) & 0xffff_ffffn, 'IPv4')
    : canonicalAddress(address);
}

/** Whether an address is IPv4-mapped, such as `::ffff:1.2.3.4`, which some software reads as IPv4. */
export function isMapped(address: string): boolean {
  return address.includes(':') && addressToNumber(address) >> 32n === 0xffffn;
}

function hasBitsBeyond(address: string, bits: number, width: number): boolean {
  return (addressToNumber(address) & ((1n << BigInt(width - bits)) - 1n)) !== 0n;
}
