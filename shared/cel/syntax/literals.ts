import { CelDouble, CelUint, int, type Value } from '#shared/cel/values/value.ts';

const maxInt = 2n ** 63n - 1n;
const maxUint = 2n ** 64n - 1n;

/** The value of an int token with its sign; undefined if it exceeds 64 bits. */
export function parseIntLiteral(text: string, negative: boolean): Value | undefined {
  if (text.length <= 15) return negative ? 0 - Number(text) : Number(text);
  const value = negative ? -BigInt(text) : BigInt(text);
  return value > maxInt || value < -maxInt - 1n ? undefined : int(value);
}

/** The value of a uint token (`1u`); undefined if it exceeds 64 bits. */
export function parseUintLiteral(text: string): Value | undefined {
  const value = BigInt(text.slice(0, -1));
  return value > maxUint ? undefined : new CelUint(int(value));
}

/** The value of a float token; undefined if it exceeds the largest double. */
export function parseDoubleLiteral(text: string, negative: boolean): Value | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? new CelDouble(negative ? -value : value) : undefined;
}
