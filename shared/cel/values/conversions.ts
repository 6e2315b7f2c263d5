import { goFloat } from '#shared/apimachinery/text/go-format.ts';
import { parseBool } from '#shared/apimachinery/text/parse-bool.ts';
import { withoutTrailing } from '#shared/apimachinery/text/without-trailing.ts';
import { DurationError, parseDuration } from '#shared/apimachinery/values/duration.ts';
import { parseByLayout, RFC3339, TimeError } from '#shared/apimachinery/values/time-parse.ts';
import { maxTimestamp, minTimestamp } from './arithmetic.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  stringType,
  timestampType,
  uintType,
  CelType,
} from './cel-type.ts';
import { integerOverflow, timestampOverflow, unsignedOverflow } from './errors.ts';
import { typeOf } from './type-of.ts';
import { CelDouble, CelDuration, CelError, CelTimestamp, CelUint, int, type Value } from './value.ts';

function cannot(value: Value, type: CelType): CelError {
  return new CelError(`type conversion error from '${typeOf(value).toString()}' to '${type.toString()}'`);
}

export function toInt(value: Value): Value {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof CelUint)
    return value.value > 9_223_372_036_854_775_807n ? new CelError(integerOverflow) : value.value;
  if (value instanceof CelDouble)
    return Math.abs(value.value) < 2 ** 63 ? int(BigInt(Math.trunc(value.value))) : new CelError(integerOverflow);
  if (value instanceof CelDuration) return int(value.nanoseconds);
  if (value instanceof CelTimestamp) return value.seconds;
  if (typeof value === 'string' && /^[+-]?[0-9]+$/.test(value) && value.length < maxDigits) {
    const parsed = BigInt(value.startsWith('+') ? value.slice(1) : value);
    if (BigInt.asIntN(64, parsed) === parsed) return int(parsed);
  }
  return cannot(value, intType);
}

export function toUint(value: Value): Value {
  if (value instanceof CelUint) return value;
  if (typeof value === 'number' || typeof value === 'bigint')
    return value < 0 ? new CelError(unsignedOverflow) : new CelUint(value);
  if (value instanceof CelDouble)
    return value.value >= 0 && value.value < 2 ** 64
      ? new CelUint(int(BigInt(Math.trunc(value.value))))
      : new CelError(unsignedOverflow);
  if (typeof value === 'string' && /^[0-9]+$/.test(value) && value.length < maxDigits) {
    const parsed = BigInt(value);
    if (BigInt.asUintN(64, parsed) === parsed) return new CelUint(int(parsed));
  }
  return cannot(value, uintType);
}

/** Longer strings are refused as durations and timestamps. Go parses them at any length, for a cost of 1. */
const maxOfTime = 10_000;

/**
 * Longer texts are refused as ints: the time of parsing grows with the square of their length. Without leading zeros an
 * int of 64 bits has at most 20 digits.
 */
const maxDigits = 100_000;

export function toDouble(value: Value): Value {
  if (value instanceof CelDouble) return value;
  if (typeof value === 'number' || typeof value === 'bigint') return new CelDouble(Number(value));
  if (value instanceof CelUint) return new CelDouble(Number(value.value));
  const parsed = typeof value === 'string' ? parseFloat64(value) : undefined;
  return parsed === undefined ? cannot(value, doubleType) : new CelDouble(parsed);
}

/** Go's strconv.ParseFloat; undefined if it fails, also if the number is out of range. */
export function parseFloat64(text: string): number | undefined {
  const infinity = /^([+-]?)(inf|infinity)$/i.exec(text);
  if (infinity !== null) return infinity[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^nan$/i.test(text)) return Number.NaN;
  const isHex = /^[+-]?0x/i.test(text);
  // Underscores stand between digits only, or behind the prefix.
  if ((isHex ? /(?<![0-9a-fx])_|_(?![0-9a-f])/i : /(?<![0-9])_|_(?![0-9])/).test(text)) return undefined;
  const bare = text.replaceAll('_', '');
  if (isHex) return parseHexFloat(bare);
  if (!/^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i.test(bare)) return undefined;
  const value = Number(bare);
  return Number.isFinite(value) ? value : undefined;
}

function parseHexFloat(text: string): number | undefined {
  const parts = /^([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)p([+-]?[0-9]+)$/i.exec(text);
  if (parts === null || `${parts[2]}${parts[3]}` === '') return undefined;
  const digits = `${parts[2]}${parts[3]}`.slice(0, 300);
  const value = Number.parseInt(digits, 16) * 2 ** (Number(parts[4]) - 4 * (parts[3] ?? '').length);
  return Number.isFinite(value) ? (parts[1] === '-' ? -value : value) : undefined;
}

export function toBool(value: Value): Value {
  if (typeof value === 'boolean') return value;
  return (typeof value === 'string' ? parseBool(value) : undefined) ?? cannot(value, boolType);
}

export function toBytes(value: Value): Value {
  if (value instanceof Uint8Array) return value;
  return typeof value === 'string' ? Buffer.from(value) : cannot(value, bytesType);
}

export function toText(value: Value): Value {
  switch (typeof value) {
    case 'string':
      return value;
    case 'boolean':
    case 'number':
    case 'bigint':
      return String(value);
    default:
      break;
  }
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelDouble) return goFloat(value.value);
  if (value instanceof CelDuration) return durationText(value);
  if (value instanceof CelTimestamp) return timestampText(value);
  if (value instanceof CelType) return value.name;
  if (value instanceof Uint8Array)
    return decode(value) ?? new CelError('invalid UTF-8 in bytes, cannot convert to string');
  return cannot(value, stringType);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The seconds with the shortest fraction that identifies the same double: `1.5s`. */
export function durationText({ nanoseconds }: CelDuration): string {
  const seconds = Number(nanoseconds / 1_000_000_000n) + Number(nanoseconds % 1_000_000_000n) / 1e9;
  const text = String(seconds);
  return `${text.includes('e') ? withoutTrailing(seconds.toFixed(9), '0') : text}s`;
}

/** RFC 3339 in the zone of the original text, with as many fractional digits as needed. */
export function timestampText({ seconds, nanos, offset }: CelTimestamp): string {
  const local = new Date((seconds + offset) * 1000)
    .toISOString()
    .replace(/^\+0*(\d{4,})/, '$1')
    .slice(0, -5);
  const fraction = nanos === 0 ? '' : `.${withoutTrailing(String(nanos).padStart(9, '0'), '0')}`;
  if (offset === 0) return `${local}${fraction}Z`;
  const minutes = Math.trunc(Math.abs(offset) / 60);
  return `${local}${fraction}${offset < 0 ? '-' : '+'}${String(Math.trunc(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

export function toDuration(value: Value): Value {
  if (value instanceof CelDuration) return value;
  if (typeof value !== 'string' || value.length > maxOfTime) return cannot(value, durationType);
  try {
    return new CelDuration(parseDuration(value));
  } catch (error) {
    if (error instanceof DurationError) return cannot(value, durationType);
    throw error;
  }
}

export function toTimestamp(value: Value): Value {
  if (value instanceof CelTimestamp) return value;
  if (typeof value === 'number' || typeof value === 'bigint') return inRange(Number(value), 0, 0);
  if (typeof value !== 'string' || value.length > maxOfTime) return cannot(value, timestampType);
  try {
    const { seconds, nanos } = parseByLayout(RFC3339, value);
    const zone = /([+-])(\d\d):(\d\d)$/.exec(value);
    const offset = zone === null ? 0 : (Number(zone[2]) * 60 + Number(zone[3])) * 60;
    return inRange(seconds, nanos, zone?.[1] === '-' ? 0 - offset : offset);
  } catch (error) {
    if (error instanceof TimeError) return cannot(value, timestampType);
    throw error;
  }
}

function inRange(seconds: number, nanos: number, offset: number): Value {
  return seconds < minTimestamp || seconds > maxTimestamp
    ? new CelError(timestampOverflow)
    : new CelTimestamp(seconds, nanos, offset);
}
