/** The tape has an integer as two numbers: the quotient by this value, and the remainder. */
export const lowNumbers = 2 ** 28;
export const longestVarint = 10;

/** Number of bytes of a varint below 2^31. */
export function varintLength(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;
}

export function delimitedLength(length: number): number {
  return varintLength(length) + length;
}

export function wideVarintLength(value: number): number {
  return value < lowNumbers ? varintLength(value) : 4 + varintLength(Math.floor(value / lowNumbers));
}
