import { isIP } from 'node:net';
import { isMapped, isSloppyCidr, plainAddress } from '#servers/core/validation/ip-address.ts';
import type { Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { addressToNumber, canonicalAddress, numberToAddress } from '#shared/apimachinery/net/address-range.ts';
import { sloppyAddress, widthOf } from '#shared/apimachinery/net/address-range.ts';
import { objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { firstWarnings } from './first-warnings.ts';

// Warnings about non-canonical addresses (apimachinery/pkg/util/validation/ip.go, KEP-4858). Strict rules refuse most
// of these, but not in objects that have them already.

/** Warnings about an IP address. A text that is not an address gets none, since validation reports it. */
export function addressWarnings(text: string, field: Path): string[] {
  if (isIP(text) === 4) return [];
  const address = sloppyAddress(text);
  if (address === undefined) return [];
  if (isIP(text) === 0 || isMapped(address))
    return [
      `${field.toString()}: non-standard IP address ${goQuote(text)} is invalid: use ${goQuote(plainAddress(address))}`,
    ];
  const canonical = canonicalAddress(address);
  return canonical === text
    ? []
    : [
        `${field.toString()}: IPv6 address ${goQuote(text)} should be in RFC 5952 canonical format (${goQuote(canonical)})`,
      ];
}

/** Warnings about a CIDR. */
export function cidrWarnings(text: string, field: Path): string[] {
  if (!isSloppyCidr(text)) return [];
  const [given = '', bits = ''] = text.split('/');
  const address = sloppyAddress(given) ?? '';
  const network = networkOf(address, Number(bits));
  const warnings: string[] = [];
  if (!network.isFirst) {
    const single = `${plainAddress(address)}/${widthOf(address)}`;
    warnings.push(
      `${field.toString()}: CIDR value ${goQuote(text)} is ambiguous in this context (should be ${goQuote(network.text)} or ${goQuote(single)}?)`,
    );
  }
  if (isIP(given) === 0 || (bits.length > 1 && bits.startsWith('0')) || isMapped(address)) {
    warnings.push(
      `${field.toString()}: non-standard CIDR value ${goQuote(text)} is invalid: use ${goQuote(network.text)}`,
    );
  }
  const canonical = `${canonicalAddress(address)}/${bits}`;
  if (warnings.length > 0 || !address.includes(':') || canonical === text) return warnings;
  return [
    `${field.toString()}: IPv6 CIDR value ${goQuote(text)} should be in RFC 5952 canonical format (${goQuote(canonical)})`,
  ];
}

/** The network of an address, as Go's net.IPNet prints it: a network of IPv4-mapped addresses as IPv4. */
function networkOf(address: string, bits: number): { readonly text: string; readonly isFirst: boolean } {
  const width = widthOf(address);
  const number = addressToNumber(address);
  const first = (number >> BigInt(width - bits)) << BigInt(width - bits);
  const printed = plainAddress(numberToAddress(first, width === 32 ? 'IPv4' : 'IPv6'));
  return {
    text: `${printed}/${width === 128 && !printed.includes(':') ? bits - 96 : bits}`,
    isFirst: first === number,
  };
}

/** Warnings about the texts of a list. */
export function listWarnings(
  object: JsonObject | undefined,
  list: string,
  warn: (text: string, field: Path) => string[],
  field: Path,
): string[] {
  return firstWarnings(stringsAt(object, list), (text, index) => warn(text, field.child(list).index(index)));
}

/** Warnings about the members named `ip` in a list of objects; `shown` is the end of their path. */
export function ipWarnings(items: readonly JsonObject[], field: Path, ...shown: readonly string[]): string[] {
  return firstWarnings(items, (item, index) =>
    addressWarnings(stringAt(item, 'ip'), field.index(index).child(...shown)),
  );
}

/**
 * Warnings about the ingress points in the status of a Service's or Ingress's load balancer; their paths end with the
 * item.
 */
export function ingressPointWarnings(object: JsonObject, field: Path): string[] {
  return ipWarnings(objectsAt(object, 'status', 'loadBalancer', 'ingress'), field.child('loadBalancer', 'ingress'));
}
