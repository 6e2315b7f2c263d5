import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { FunctionDeclaration } from '#shared/cel/contract/function-declaration.ts';
import type { Library } from '#shared/cel/contract/library.ts';
import { costsOne, costsTraversal, estimatesOne, estimatesTraversal } from '#shared/cel/libraries/sizes.ts';
import { CelObject } from '#shared/cel/values/cel-type.ts';
import { boolType, intType, opaqueType, stringType, type CelType } from '#shared/cel/values/cel-type.ts';
import { CelError } from '#shared/cel/values/value.ts';
import { AddressError, formatAddress, isMappedAddress, parseAddress, type Address } from './address.ts';

export const ipType = opaqueType('net.IP');

export class CelIp extends CelObject {
  readonly address: Address;

  constructor(address: Address) {
    super();
    this.address = address;
  }

  get type(): CelType {
    return ipType;
  }

  override get costSize(): number {
    return this.address.bytes.length;
  }

  override get mapKey(): string {
    return `ip ${formatAddress(this.address)}`;
  }

  override equals(other: unknown): boolean | CelError {
    return other instanceof CelIp
      ? formatAddress(this.address) === formatAddress(other.address)
      : new CelError('no such overload');
  }
}

/** Parses a text as an address. Returns an error if it is none, has a zone or is a mapped IPv4 address. */
export function ipFrom(text: string): CelIp | CelError {
  try {
    const address = parseAddress(text);
    if (address.zone !== '') return new CelError(`IP address ${goQuote(text)} with zone value is not allowed`);
    return isMappedAddress(address)
      ? new CelError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`)
      : new CelIp(address);
  } catch (error) {
    if (error instanceof AddressError)
      return new CelError(`IP Address ${goQuote(text)} parse error during conversion from string: ${error.message}`);
    throw error;
  }
}

const parsing = { cost: costsTraversal(), estimate: estimatesTraversal() };

function test(name: string, id: string, holds: (bytes: Uint8Array) => boolean): FunctionDeclaration {
  return {
    name,
    cost: costsOne,
    estimate: estimatesOne,
    overloads: [
      {
        id,
        member: true,
        parameters: [ipType],
        result: boolType,
        implementation: (ip: CelIp) => holds(ip.address.bytes),
      },
    ],
  };
}

const at = (bytes: Uint8Array, place: number): number => bytes[place] ?? 0;
const isFour = (bytes: Uint8Array): boolean => bytes.length === 4;
const isUnspecified = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);
const isLoopback = (bytes: Uint8Array): boolean =>
  isFour(bytes) ? bytes[0] === 127 : bytes.every((byte, place) => byte === (place === 15 ? 1 : 0));
const isMulticast = (bytes: Uint8Array): boolean =>
  isFour(bytes) ? (at(bytes, 0) & 0xf0) === 0xe0 : bytes[0] === 0xff;
const isLinkLocalMulticast = (bytes: Uint8Array): boolean =>
  isFour(bytes)
    ? bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0
    : bytes[0] === 0xff && (at(bytes, 1) & 0x0f) === 2;
const isLinkLocalUnicast = (bytes: Uint8Array): boolean =>
  isFour(bytes) ? bytes[0] === 169 && bytes[1] === 254 : bytes[0] === 0xfe && (at(bytes, 1) & 0xc0) === 0x80;
const isGlobalUnicast = (bytes: Uint8Array): boolean =>
  !isUnspecified(bytes) &&
  !(isFour(bytes) && bytes.every((byte) => byte === 255)) &&
  !isLoopback(bytes) &&
  !isMulticast(bytes) &&
  !isLinkLocalUnicast(bytes);

const functions: readonly FunctionDeclaration[] = [
  {
    name: 'ip',
    overloads: [{ id: 'string_to_ip', parameters: [stringType], result: ipType, implementation: ipFrom, ...parsing }],
  },
  {
    name: 'family',
    cost: costsOne,
    estimate: estimatesOne,
    overloads: [
      {
        id: 'ip_family',
        member: true,
        parameters: [ipType],
        result: intType,
        implementation: (ip: CelIp) => (isFour(ip.address.bytes) ? 4 : 6),
      },
    ],
  },
  {
    name: 'ip.isCanonical',
    cost: costsTraversal(2),
    estimate: estimatesTraversal(2),
    overloads: [{ id: 'ip_is_canonical', parameters: [stringType], result: boolType, implementation: isCanonical }],
  },
  test('isUnspecified', 'ip_is_unspecified', isUnspecified),
  test('isLoopback', 'ip_is_loopback', isLoopback),
  test('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
  test('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
  test('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
  {
    name: 'isIP',
    ...parsing,
    overloads: [
      {
        id: 'is_ip',
        parameters: [stringType],
        result: boolType,
        implementation: (text: string) => ipFrom(text) instanceof CelIp,
      },
    ],
  },
  {
    name: 'string',
    overloads: [
      {
        id: 'ip_to_string',
        parameters: [ipType],
        result: stringType,
        implementation: (ip: CelIp) => formatAddress(ip.address),
      },
    ],
  },
];

function isCanonical(text: string): boolean | CelError {
  const ip = ipFrom(text);
  return ip instanceof CelError ? ip : formatAddress(ip.address) === text;
}

export const ipLibrary: Library = { name: 'kubernetes.net.ip', types: [ipType], functions };
