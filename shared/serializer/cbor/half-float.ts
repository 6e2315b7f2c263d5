/** The value of a half-precision float (IEEE 754 binary16). */
export function halfValue(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 0x3ff;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const single = new Float32Array(1);
const singleBits = new Uint32Array(single.buffer);

/**
 * The bits of a finite value as a half-precision float; undefined where half precision cannot hold the value exactly.
 */
export function halfBits(value: number): number | undefined {
  single[0] = value;
  const all = singleBits[0] as number;
  const sign = (all >>> 16) & 0x8000;
  const size = Math.abs(value);
  if (size === 0) return sign;
  // Below 2^-14 (subnormal), only multiples of 2^-24 can be represented.
  const bits = size < 2 ** -14 ? size * 2 ** 24 : ((((all >>> 23) & 255) - 112) << 10) | ((all >>> 13) & 0x3ff);
  if (!Number.isInteger(bits) || bits < 0 || bits >= 0x7c00) return undefined;
  return halfValue(bits) === size ? sign | bits : undefined;
}
