/** The longest varint: 64 bits in groups of seven. */
export const longestVarint = 10;

/** Number of bytes of an integer from 0 to 2^53 - 1 as a varint. */
export function varintLength(value: number): number {
  if (value < 0x80) return 1;
  if (value < 0x4000) return 2;
  if (value < 0x20_0000) return 3;
  return value < 0x1000_0000 ? 4 : 4 + varintLength(Math.floor(value / 0x1000_0000));
}

/** Number of bytes of a value of this length with its length in front. */
export function delimitedLength(length: number): number {
  return varintLength(length) + length;
}

/** Writes an integer from 0 to 2^53 - 1 at a position that has room for it; returns the position behind it. */
export function writeVarint(out: Uint8Array, value: number, position: number): number {
  let at = position;
  let rest = value;
  // Operators on bits know 32 bits only.
  for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 128)) out[at++] = (rest % 128) | 128;
  for (; rest > 127; rest >>>= 7) out[at++] = (rest & 127) | 128;
  out[at++] = rest;
  return at;
}

/** As {@link varintLength}, for an unsigned integer of 64 bits. */
export function bigVarintLength(value: bigint): number {
  let length = 1;
  for (let rest = value; rest > 127n; rest >>= 7n) length++;
  return length;
}

/** As {@link writeVarint}, for an unsigned integer of 64 bits. */
export function writeBigVarint(out: Uint8Array, value: bigint, position: number): number {
  let at = position;
  let rest = value;
  for (; rest > 127n; rest >>= 7n) out[at++] = Number(rest & 127n) | 128;
  out[at++] = Number(rest);
  return at;
}

export function varintBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(varintLength(value));
  writeVarint(bytes, value, 0);
  return bytes;
}

/** An int64 as a varint. */
export function int64VarintBytes(value: number | bigint): Uint8Array {
  const unsigned = BigInt.asUintN(64, BigInt(value));
  const bytes = new Uint8Array(bigVarintLength(unsigned));
  writeBigVarint(bytes, unsigned, 0);
  return bytes;
}

/** The key of a field. Wire types: 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes. */
export function tagBytes(number: number, wireType: number): Uint8Array {
  return varintBytes(number * 8 + wireType);
}
