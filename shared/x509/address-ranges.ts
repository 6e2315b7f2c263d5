/** Ranges of IP addresses, each as an address and its mask. */
export class AddressRanges {
  /** Networks by family and by prefix length, so that a look-up takes one step for each length in use. */
  readonly #networks = new Map<string, Map<number, Set<string>>>();

  /** `ranges`: 8 or 32 bytes each, with masks that {@link isPrefixMask} accepts. */
  constructor(ranges: readonly Buffer[]) {
    for (const range of ranges) {
      const half = range.length / 2;
      const { family, bytes } = withFamily(range.subarray(0, half));
      const bits = prefixBits(range.subarray(range.length - bytes.length));
      const byBits = this.#networks.get(family) ?? new Map<number, Set<string>>();
      this.#networks.set(family, byBits);
      byBits.set(bits, (byBits.get(bits) ?? new Set()).add(network(bytes, bits)));
    }
  }

  covers(address: Buffer): boolean {
    const { family, bytes } = withFamily(address);
    for (const [bits, networks] of this.#networks.get(family) ?? [])
      if (networks.has(network(bytes, bits))) return true;
    return false;
  }
}

/** Whether a mask consists of ones followed by zeros. */
export function isPrefixMask(mask: Buffer): boolean {
  return /^1*0*$/.test(binary(mask));
}

/**
 * Separates three families: an IPv4-mapped IPv6 address matches only ranges of IPv4-mapped addresses (Go's net.IPNet).
 */
function withFamily(address: Buffer): { readonly family: 'IPv4' | 'IPv6' | 'mapped'; readonly bytes: Buffer } {
  if (address.length === 4) return { family: 'IPv4', bytes: address };
  const isMapped = address.subarray(0, 12).equals(mappedPrefix);
  return isMapped ? { family: 'mapped', bytes: address.subarray(12) } : { family: 'IPv6', bytes: address };
}

const mappedPrefix = Buffer.from('00000000000000000000ffff', 'hex');

function prefixBits(mask: Buffer): number {
  const zero = binary(mask).indexOf('0');
  return zero < 0 ? mask.length * 8 : zero;
}

function network(address: Buffer, bits: number): string {
  return binary(address).slice(0, bits);
}

function binary(bytes: Buffer): string {
  return [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
}
