import type { Quantity, QuantityFormat } from './quantity-parse.ts';
import { QuantityError, parseQuantity, roundAwayFromZero } from './quantity-parse.ts';

export { parseQuantity } from './quantity-parse.ts';

/** Most quantities in practice: short integers that are canonical already, without a suffix that would change. */
const PLAIN_CANONICAL = /^[1-9][0-9]{0,2}[mkMGT]?$|^[1-9][0-9]{0,3}(Ki|Mi|Gi)$/;

/**
 * The text that the reference would return for this input: the input's spelling where that is kept, else the canonical
 * one.
 * @throws QuantityError with the reference's text
 */
export function canonicalQuantity(text: string): string {
  if (isPlainCanonical(text)) return text;
  return formatQuantity(parseQuantity(text.trim()));
}

/**
 * Whether the reference's Go value for a text equals that of the stored quantity, which it parsed from the canonical
 * text. `1000m` and `1` have different Go values, which `reflect.DeepEqual` distinguishes. The Go value includes the
 * text for some quantities from parsing on, for others (`512Mi`) only after printing. The stored quantity has been
 * printed; with `printsCopy`, only a copy of it has.
 */
export function equalsStoredQuantity(text: string, canonical: string, printsCopy: boolean): boolean {
  if (text === canonical && (printsCopy || isPlainCanonical(text))) return true;
  const [read, stored] = [parseQuantity(text), parseQuantity(canonical)];
  return (
    read.unscaled === stored.unscaled &&
    read.scale === stored.scale &&
    read.format === stored.format &&
    read.wide === stored.wide &&
    read.text === (printsCopy ? stored.text : canonical)
  );
}

function isPlainCanonical(text: string): boolean {
  return text === '0' || (PLAIN_CANONICAL.test(text) && !isBinaryMultiple(text));
}

/** `1024Mi` prints as `1Gi`: any multiple of 8 is left to the full parser. */
function isBinaryMultiple(text: string): boolean {
  return text.endsWith('i') && Number.parseInt(text, 10) % 8 === 0;
}

const DECIMAL_SUFFIXES: ReadonlyMap<number, string> = new Map([
  [-9, 'n'],
  [-6, 'u'],
  [-3, 'm'],
  [0, ''],
  [3, 'k'],
  [6, 'M'],
  [9, 'G'],
  [12, 'T'],
  [15, 'P'],
  [18, 'E'],
]);
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;

/** The reference's text of a quantity. A decimal exponent beyond `E` loses its suffix, as in the reference. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.unscaled === 0n) return '0';
  if (quantity.format === 'BinarySI') {
    const whole = asWhole(quantity);
    if (whole !== undefined && (whole >= 1024n || whole <= -1024n)) return formatBinary(whole);
  }
  return formatDecimal(quantity.unscaled, quantity.scale, quantity.format === 'DecimalExponent');
}

function asWhole(quantity: Quantity): bigint | undefined {
  const { unscaled, scale } = roundAwayFromZero(quantity.unscaled, quantity.scale, 0);
  const whole = unscaled * 10n ** BigInt(scale);
  return compareQuantities(quantity, { ...quantity, unscaled: whole, scale: 0 }) === 0 ? whole : undefined;
}

function formatBinary(whole: bigint): string {
  let amount = whole;
  let power = 0;
  for (; amount % 1024n === 0n; power++) amount /= 1024n;
  return `${amount}${BINARY_SUFFIXES[power] ?? ''}`;
}

function formatDecimal(unscaled: bigint, scale: number, exponentForm: boolean): string {
  // Zeros are counted in the text: dividing a number of many digits by ten repeatedly would take minutes.
  const zeros = trailingZeros(unscaled);
  let amount = zeros === 0 ? unscaled : unscaled / 10n ** BigInt(zeros);
  let exponent = scale + zeros;
  // Lowers the exponent to a multiple of three.
  for (; exponent % 3 !== 0; exponent--) amount *= 10n;
  if (exponentForm) return exponent === 0 ? `${amount}` : `${amount}e${exponent}`;
  return `${amount}${DECIMAL_SUFFIXES.get(exponent) ?? ''}`;
}

function trailingZeros(value: bigint): number {
  const text = value.toString();
  let end = text.length;
  while (text[end - 1] === '0') end--;
  return text.length - end;
}

/** Negative, zero or positive; the format does not count. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const signs = sign(a) - sign(b);
  if (signs !== 0 || a.unscaled === 0n) return signs;
  // Magnitudes first, so that hostile exponents never become huge integers.
  const magnitude = decimalDigits(a) - decimalDigits(b);
  if (magnitude !== 0) return magnitude * sign(a);
  const scale = Math.min(a.scale, b.scale);
  const difference = atScale(a, scale) - atScale(b, scale);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

function sign(quantity: Quantity): number {
  return quantity.unscaled === 0n ? 0 : quantity.unscaled < 0n ? -1 : 1;
}

/** Digits before the decimal point; negative for leading zeros after it. */
function decimalDigits(quantity: Quantity): number {
  const text = quantity.unscaled.toString();
  return text.length - (quantity.unscaled < 0n ? 1 : 0) + quantity.scale;
}

function atScale(quantity: Quantity, scale: number): bigint {
  return quantity.unscaled * 10n ** BigInt(quantity.scale - scale);
}

const INT64 = 64;

/** The sum; it takes the format of `a`, or of `b` when `a` is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const format = a.unscaled === 0n ? b.format : a.format;
  if (b.unscaled === 0n) return withoutText({ ...a, format });
  if (a.unscaled === 0n) return withoutText({ ...b, format });
  const scale = Math.min(a.scale, b.scale);
  const unscaled = atScale(a, scale) + atScale(b, scale);
  const wide = a.wide || b.wide || unscaled !== BigInt.asIntN(INT64, unscaled);
  return { unscaled, scale, format, wide };
}

/** The difference, with the format rules of a sum. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, { ...b, unscaled: -b.unscaled });
}

function withoutText(quantity: Quantity): Quantity {
  const { unscaled, scale, format, wide } = quantity;
  return { unscaled, scale, format, wide };
}

/** A quantity of a whole number of `10^scale` units. */
export function quantityOf(value: bigint | number, format: QuantityFormat = 'DecimalSI', scale = 0): Quantity {
  return { unscaled: BigInt(value), scale, format, wide: false };
}

export function isZeroQuantity(quantity: Quantity): boolean {
  return quantity.unscaled === 0n;
}

/** -1, 0 or 1. */
export function quantitySign(quantity: Quantity): -1 | 0 | 1 {
  return quantity.unscaled === 0n ? 0 : quantity.unscaled < 0n ? -1 : 1;
}

/** Rounds away from zero to `10^scale` (`-3`: milli); a quantity that is fine already keeps its text. */
export function roundUpQuantity(quantity: Quantity, scale: number): Quantity {
  if (quantity.scale >= scale && !quantity.wide) return quantity;
  const { unscaled, scale: own } = quantity;
  const finer = own - scale;
  // A big decimal gets exactly that scale.
  const rounded =
    finer > 0 && finer <= INT64
      ? { unscaled: unscaled * 10n ** BigInt(finer), scale }
      : roundAwayFromZero(unscaled, own, scale);
  return { ...withoutText(quantity), ...rounded };
}

/**
 * The value in units of `10^scale`, rounded away from zero (`Value` with 0, `MilliValue` with -3). Beyond int64 it is
 * what the reference computes: zero for an overflow, or the low bits of a big decimal.
 */
export function quantityValue(quantity: Quantity, scale = 0): bigint {
  if (quantity.wide) return wideValue(quantity, scale);
  const rounded = roundAwayFromZero(quantity.unscaled, quantity.scale, scale);
  if (rounded.unscaled === 0n || rounded.scale - scale > INT64) return 0n;
  const shift = rounded.scale - scale;
  const value = rounded.unscaled * 10n ** BigInt(shift);
  const low = BigInt.asIntN(INT64, value);
  return low === value || wrappingShifts.has(shift) ? low : 0n;
}

/** Powers of ten that Go multiplies by at once, with an overflow that nobody asks about; others give zero. */
const wrappingShifts: ReadonlySet<number> = new Set([1, 2, 3, 6, 9]);
const maxInt64 = 2n ** 63n - 1n;
/** The largest power of ten that Go divides an int64 by. */
const maxShortExponent = 19;

/** Of a big decimal (apimachinery/pkg/api/resource, scaledValue). */
function wideValue({ unscaled, scale: own }: Quantity, scale: number): bigint {
  const drop = scale - own;
  if (-drop > INT64) return 0n;
  if (drop <= 0) return BigInt.asIntN(INT64, unscaled * 10n ** BigInt(-drop));
  const divisor = 10n ** BigInt(drop);
  if (unscaled < maxInt64 && drop < maxShortExponent) {
    const low = BigInt.asIntN(INT64, unscaled);
    return low / divisor + (low % divisor === 0n ? 0n : 1n);
  }
  // The remainder is never negative.
  const below = unscaled % divisor < 0n ? 1n : 0n;
  const whole = unscaled / divisor - below;
  return BigInt.asIntN(INT64, whole) + (unscaled % divisor === 0n ? 0n : 1n);
}

/** `AsInt64`: the value if it is a whole number that the reference holds in 64 bits. */
export function quantityAsInt64(quantity: Quantity): bigint | undefined {
  if (quantity.wide || quantity.scale < 0 || quantity.scale > INT64) return undefined;
  const value = quantity.unscaled * 10n ** BigInt(quantity.scale);
  return value === BigInt.asIntN(INT64, value) ? value : undefined;
}

/** `AsApproximateFloat64`. */
export function quantityToNumber(quantity: Quantity): number {
  const base = Number(quantity.unscaled);
  return quantity.scale === 0 ? base : base * Number(`1e${quantity.scale}`);
}

/**
 * Compares two texts as quantities: true if the amounts are equal. Texts that are no quantities equal only themselves.
 */
export function equalQuantityTexts(a: string, b: string): boolean {
  if (a === b) return true;
  try {
    return compareQuantities(parseQuantity(a), parseQuantity(b)) === 0;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
}
