/**
 * An int64 as the codecs hold it: a bigint only outside ±(2^53−1). So `===`, `<` and `>` compare any two of them, while
 * `+` and `*` throw on a number beside a bigint.
 */
export type Int64 = number | bigint;

/** The int64 with the value of a bigint, which wraps around at 64 bits as in Go. */
export function toInt64(value: bigint): Int64 {
  const wrapped = BigInt.asIntN(64, value);
  const short = Number(wrapped);
  return Number.isSafeInteger(short) ? short : wrapped;
}

/** True for numbers that Go decodes from JSON as int64; all others are float64. */
export function isInt64(value: number | bigint): boolean {
  return typeof value === 'bigint'
    ? BigInt.asIntN(64, value) === value
    : Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}

/**
 * What Go's conversion of a number to int64 makes of it: fractions are cut off, and what int64 cannot hold becomes the
 * least int64 (on amd64).
 */
export function truncateToInt64(value: number | bigint): Int64 {
  if (Number.isSafeInteger(value) || (typeof value === 'bigint' && isInt64(value))) return value;
  const whole = Math.trunc(Number(value));
  return isInt64(whole) ? toInt64(BigInt(whole)) : -(2n ** 63n);
}

/** The sum of two int64; wraps around at 64 bits. */
export function addInt64(a: Int64, b: Int64): Int64 {
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a + b)) return a + b;
  return toInt64(BigInt(a) + BigInt(b));
}

const nanosPerSecond = 1_000_000_000n;
const nanosPerMs = 1_000_000n;
/** The seconds that Go's time.Duration holds, 292 years. */
const maxDurationSeconds = 9_223_372_036;

/**
 * Milliseconds of so many seconds as Go's time.Duration counts them: an int64 of nanoseconds, which wraps around at 292
 * years.
 */
export function durationMs(seconds: Int64): number {
  if (typeof seconds === 'number' && Math.abs(seconds) <= maxDurationSeconds) return seconds * 1000;
  return Number(BigInt.asIntN(64, BigInt(seconds) * nanosPerSecond) / nanosPerMs);
}
