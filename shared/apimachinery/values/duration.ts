import { bytesOfText } from '#shared/apimachinery/text/byte-text.ts';
import { quoteBytes } from './time-parse.ts';

/** A duration that cannot be understood; the message is Go's. */
export class DurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DurationError';
  }
}

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const LIMIT = 1n << 63n;

function failure(what: string, text: string): DurationError {
  return new DurationError(`time: ${what} ${quote(text)}`);
}

function quote(text: string): string {
  return quoteBytes(bytesOfText(text));
}

/**
 * Go's time.ParseDuration: `1h30m`, `-1.5s`, `0`.
 * @returns nanoseconds
 * @throws DurationError with Go's text
 */
export function parseDuration(text: string): bigint {
  const body = text.replace(/^[+-]/, '');
  if (body === '0') return 0n;
  if (body === '') throw failure('invalid duration', text);
  let rest = body;
  let total = 0n;
  while (rest !== '') {
    const match = /^([0-9]*)(\.([0-9]*))?([^.0-9]*)/.exec(rest);
    const whole = match?.[1] ?? '';
    const fraction = match?.[3] ?? '';
    if (match === null || (whole === '' && fraction === '')) throw failure('invalid duration', text);
    rest = rest.slice(match[0].length);
    total += term(text, whole, fraction, match[4] ?? '');
    if (total > LIMIT) throw failure('invalid duration', text);
  }
  if (text.startsWith('-')) return -total;
  if (total === LIMIT) throw failure('invalid duration', text);
  return total;
}

function term(text: string, whole: string, fraction: string, unitName: string): bigint {
  // Go stops reading at the overflow, before it reads the unit.
  if (whole.length > 400 || BigInt(whole === '' ? '0' : whole) > LIMIT) throw failure('invalid duration', text);
  if (unitName === '') throw failure('missing unit in duration', text);
  const unit = UNITS.get(unitName);
  if (unit === undefined) throw failure(`unknown unit ${quote(unitName)} in duration`, text);
  const value = BigInt(whole === '' ? '0' : whole) * unit;
  // The reference computes fractions in floating point; digits beyond 18 are cut.
  const digits = fraction.slice(0, 18);
  return value + (digits === '' ? 0n : BigInt(Math.trunc(Number(digits) * (Number(unit) / 10 ** digits.length))));
}

/** Go's Duration.String: `1h30m0s`, `1.5s`, `100ms`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  const sign = nanoseconds < 0n ? '-' : '';
  const magnitude = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (magnitude === 0n) return '0s';
  if (magnitude < 1_000n) return `${sign}${magnitude}ns`;
  if (magnitude < 1_000_000n) return `${sign}${decimal(magnitude, 3)}µs`;
  if (magnitude < 1_000_000_000n) return `${sign}${decimal(magnitude, 6)}ms`;
  const minutes = magnitude / 60_000_000_000n;
  const seconds = `${decimal(magnitude % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return sign + seconds;
  if (minutes < 60n) return `${sign}${minutes}m${seconds}`;
  return `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** A number with `places` decimal places, trailing zeros left out. */
function decimal(value: bigint, places: number): string {
  const unit = 10n ** BigInt(places);
  const fraction = (value % unit).toString().padStart(places, '0').replace(/0+$/, '');
  return fraction === '' ? `${value / unit}` : `${value / unit}.${fraction}`;
}

/** The canonical text of a duration, as the reference returns it. @throws DurationError with Go's text */
export function canonicalDuration(text: string): string {
  return formatDuration(parseDuration(text));
}
