/** The polynomial of gzip's CRC-32, bits reversed. */
const polynomial = 0xedb88320;
const one = 0x80000000;

/** a · b modulo the polynomial; numbers are polynomials over GF(2), whose highest bit is x^0. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= factor;
    factor = (factor & 1) !== 0 ? (factor >>> 1) ^ polynomial : factor >>> 1;
  }
  return product >>> 0;
}

/** x^(2^n). */
const powers: number[] = [one >>> 1];
for (let n = 1; n < 64; n++) powers.push(multiply(powers[n - 1] as number, powers[n - 1] as number));

/** The factor by which a checksum is multiplied when `length` bytes are appended: x^(8 · length). */
export function crc32Shift(length: number): number {
  let shift = one;
  let rest = length;
  for (let n = 3; rest > 0; n++) {
    if (rest % 2 === 1) shift = multiply(powers[n] as number, shift);
    rest = Math.floor(rest / 2);
  }
  return shift;
}

/**
 * The checksum of two concatenated pieces, computed from the checksums of both. `shift` is {@link crc32Shift} of the
 * second one's length.
 */
export function crc32Combine(first: number, second: number, shift: number): number {
  return (multiply(shift, first) ^ second) >>> 0;
}
