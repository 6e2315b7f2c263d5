/** A parsed `resource.Quantity`: `unscaled` × 10^`scale`. Immutable. */
export interface Quantity {
  readonly unscaled: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
  /** Held by the reference as a big decimal, which has no int64 form (`AsInt64` is false). */
  readonly wide: boolean;
  /** The text as it was sent, where the reference prints it unchanged. */
  readonly text?: string;
}

/** How a quantity prints: `12e6`, `12Mi`, `12M`. */
export type QuantityFormat = 'DecimalExponent' | 'BinarySI' | 'DecimalSI';

/** A quantity that cannot be understood; the message is the reference's. */
export class QuantityError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'QuantityError';
  }
}

const FORMAT_WRONG = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const NUMERIC_WRONG = 'unable to parse numeric part of quantity';
const SUFFIX_WRONG = "unable to parse quantity's suffix";
/** Go holds numbers with more digits than this as big decimals, not in 64 bits. */
const MAX_INT64_DIGITS = 18;
const NANO = -9;
const MAX_INT64 = (1n << 63n) - 1n;

/**
 * The grammar that the reference really applies, which is wider than the pattern of its error: leading zeros are
 * skipped first, and a text of zeros with nothing else is complete; `.`, `+` and a bare suffix are zero. Each digit can
 * belong to one part only, so that a long text that does not match is rejected without backtracking.
 */
const GRAMMAR = /^([+-]?)(0*)((?:[1-9][0-9]*)?)(\.([0-9]*))?((?:[eEinumkKMGTP]+[+-]?[0-9]*|[+-][0-9]*)?)$/;

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const DECIMAL: Readonly<Record<string, number>> = { '': 0, n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

function interpretSuffix(suffix: string): Suffix {
  const decimal = Object.hasOwn(DECIMAL, suffix) ? DECIMAL[suffix] : undefined;
  if (decimal !== undefined) return { base: 10, exponent: decimal, format: 'DecimalSI' };
  const binary = Object.hasOwn(BINARY, suffix) ? BINARY[suffix] : undefined;
  if (binary !== undefined) return { base: 2, exponent: binary, format: 'BinarySI' };
  const digits = /^[eE]([+-]?[0-9]+)$/.exec(suffix)?.[1];
  if (digits === undefined || digits.length > 30) throw new QuantityError(SUFFIX_WRONG);
  const exponent = BigInt(digits.replace('+', ''));
  if (exponent !== BigInt.asIntN(64, exponent)) throw new QuantityError(SUFFIX_WRONG);
  return { base: 10, exponent: Number(BigInt.asIntN(32, exponent)), format: 'DecimalExponent' };
}

/**
 * Parses a quantity as apimachinery/pkg/api/resource does. `text` of the result is the input where the reference
 * would print it back unchanged, canonical or not (`1.500`, `+1`).
 * @throws QuantityError
 */
export function parseQuantity(text: string): Quantity {
  if (text === '0') return { unscaled: 0n, scale: 0, format: 'DecimalSI', wide: false, text };
  const match = text === '' ? null : GRAMMAR.exec(text);
  if (match === null) throw new QuantityError(FORMAT_WRONG);
  const whole = match[3] === '' ? '0' : (match[3] ?? '0');
  const fraction = match[5] ?? '';
  const suffix = interpretSuffix(match[6] ?? '');
  const sign = match[1] === '-' ? -1n : 1n;
  return parseNarrow(text, sign, whole, fraction, suffix) ?? parseWide(sign, match, suffix);
}

/** Parses values that fit Go's int64 with a scale, and decides whether the text is kept. */
function parseNarrow(
  text: string,
  sign: bigint,
  whole: string,
  fraction: string,
  suffix: Suffix,
): Quantity | undefined {
  const shifted = whole + fraction;
  const binary = suffix.base === 2;
  if (binary) {
    const precision = 14 - whole.length - Math.trunc((suffix.exponent * 3) / 10);
    if (fraction !== '' || precision < 0) return undefined;
  } else if (shifted.length > MAX_INT64_DIGITS) return undefined;
  const scale = binary ? 0 : suffix.exponent - fraction.length;
  if (scale < NANO) return undefined;
  const value = BigInt(shifted);
  const unscaled = sign * (binary ? value << BigInt(suffix.exponent) : value);
  const kept = binary ? (value & 7n) !== 0n : scale % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0');
  const quantity: Quantity = { unscaled, scale, format: suffix.format, wide: false };
  return kept ? { ...quantity, text } : quantity;
}

/** Parses the remaining forms exactly: rounded away from zero to nano units, binary values capped at int64. */
function parseWide(sign: bigint, match: RegExpExecArray, suffix: Suffix): Quantity {
  const digits = `${match[2] ?? ''}${match[3] ?? ''}${match[5] ?? ''}`;
  if (digits === '') throw new QuantityError(NUMERIC_WRONG);
  let unscaled = BigInt(digits);
  let scale = -(match[5] ?? '').length;
  if (suffix.base === 10) scale += suffix.exponent;
  else unscaled <<= BigInt(suffix.exponent);
  let format = suffix.format;
  if (unscaled !== 0n) ({ unscaled, scale } = atNano(roundAwayFromZero(unscaled, scale, NANO)));
  if (format === 'BinarySI') {
    const one = 10n ** BigInt(-scale);
    if (unscaled > MAX_INT64 * one) ({ unscaled, scale } = { unscaled: MAX_INT64, scale: 0 });
    else if (unscaled !== 0n && unscaled < one) format = 'DecimalSI';
  }
  return { unscaled: sign * unscaled, scale, format, wide: true };
}

/**
 * The reference holds wide values in units of nano, which shows in their floating point form; huge exponents stay as
 * they are.
 */
function atNano(value: { unscaled: bigint; scale: number }): { unscaled: bigint; scale: number } {
  const shift = value.scale - NANO;
  return shift > 64 ? value : { unscaled: value.unscaled * 10n ** BigInt(shift), scale: NANO };
}

/** Rounds a magnitude up to a scale; a value that is exact already keeps its form, one far below becomes one unit. */
export function roundAwayFromZero(
  unscaled: bigint,
  scale: number,
  toScale: number,
): { unscaled: bigint; scale: number } {
  if (scale >= toScale || unscaled === 0n) return { unscaled, scale };
  const negative = unscaled < 0n;
  const magnitude = negative ? -unscaled : unscaled;
  const drop = toScale - scale;
  let rounded = 1n;
  // Dividing by ten to a client's exponent could take hours: skip it where the result is known.
  if (magnitude.toString().length > drop) {
    const divisor = 10n ** BigInt(drop);
    rounded = magnitude / divisor + (magnitude % divisor === 0n ? 0n : 1n);
  }
  return { unscaled: negative ? -rounded : rounded, scale: toScale };
}
