import { withoutTrailing } from '#shared/apimachinery/text/without-trailing.ts';

/**
 * Formats doubles as `%f` and `%e` print them in American English: groups of thousands, and `×` and raised digits for
 * powers of ten. The exact values are rounded, halves to even.
 */

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';

interface Digits {
  readonly negative: boolean;
  /** The decimal digits without trailing zeros; empty for zero. */
  readonly digits: string;
  /** The number of digits before the decimal point; negative if zeros come between the point and the digits. */
  readonly point: number;
}

const bits = new DataView(new ArrayBuffer(8));

/** All digits of a finite number. */
function exact(value: number): Digits {
  bits.setFloat64(0, Math.abs(value));
  const high = bits.getUint32(0);
  const biased = high >>> 20;
  const fraction = (BigInt(high & 0xfffff) << 32n) | BigInt(bits.getUint32(4));
  const mantissa = biased === 0 ? fraction : fraction | (1n << 52n);
  const exponent = Math.max(biased, 1) - 1075;
  // 2^-n is 5^n / 10^n, so a negative exponent becomes a factor 5^n and n digits after the decimal point.
  const whole = exponent >= 0 ? mantissa << BigInt(exponent) : mantissa * 5n ** BigInt(-exponent);
  const digits = String(whole);
  return trimmed(
    { negative: value < 0, digits, point: 0 },
    whole === 0n ? '' : digits,
    digits.length + Math.min(0, exponent),
  );
}

/** The shortest digits that identify the number. */
function shortest(value: number): Digits {
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential().split('e');
  return trimmed(
    { negative: value < 0, digits: '', point: 0 },
    mantissa === '0' ? '' : mantissa.replace('.', ''),
    Number(exponent) + 1,
  );
}

/** Rounds to `keep` digits. A carry may add a digit before the decimal point. */
function round(number: Digits, keep: number): Digits {
  const { digits, point } = number;
  if (keep >= digits.length) return number;
  if (keep < 0) return { ...number, digits: '', point: 0 };
  const rest = digits.slice(keep);
  const odd = (digits.charCodeAt(keep - 1) & 1) === 1;
  const up = rest[0] === '5' && rest.length === 1 ? keep > 0 && odd : rest >= '5';
  const kept = digits.slice(0, keep);
  if (!up) return trimmed(number, kept, point);
  const raisedDigits = (BigInt(`0${kept}`) + 1n).toString().padStart(keep, '0');
  return trimmed(number, raisedDigits, raisedDigits.length > keep ? point + 1 : point);
}

function trimmed(number: Digits, digits: string, point: number): Digits {
  const short = withoutTrailing(digits, '0');
  return { ...number, digits: short, point: short === '' ? 0 : point };
}

/** `1234567` as `1,234,567`. */
function inThousands(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(',');
}

function nonFiniteText(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return undefined;
  return value > 0 ? '∞' : '-∞';
}

function roundFraction(value: number, most: number): Digits {
  if (most < 0) return shortest(value);
  const number = exact(value);
  return round(number, number.point + most);
}

function integerOf({ digits, point }: Digits): string {
  return point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0');
}

function fractionOf({ digits, point }: Digits, least: number): string {
  return ((point < 0 ? '0'.repeat(-point) : '') + digits.slice(Math.max(0, point))).padEnd(least, '0');
}

/** Formats a finite number as `1234.500000`. */
export function plainFixed(value: number, precision: number): string {
  const number = roundFraction(value, precision);
  return `${number.negative || Object.is(value, -0) ? '-' : ''}${integerOf(number)}.${fractionOf(number, precision)}`;
}

/** Formats a number as `1,234.500`. */
export function fixed(value: number, precision: number): string {
  const shown = nonFiniteText(value);
  if (shown !== undefined) return shown;
  const [least, most] = limits(precision);
  const number = roundFraction(value, most);
  const padded = fractionOf(number, least);
  const grouped = inThousands(integerOf(number));
  return `${number.negative ? '-' : ''}${grouped}${padded === '' ? '' : `.${padded}`}`;
}

const fractionOfScientific = 6;

/**
 * Formats a number as `1.234500×10⁰³`, padded with spaces on the left: upstream takes the precision of `%.9e` as a
 * width, and always prints six digits after the point.
 */
export function scientific(value: number, width: number): string {
  return (nonFiniteText(value) ?? scientificText(value)).padStart(Math.min(width, longestWidth));
}

/** The greatest width that upstream's printer accepts. */
const longestWidth = 1_000_000;

function scientificText(value: number): string {
  const { negative, digits, point } = round(exact(value), fractionOfScientific + 1);
  const exponent = digits === '' ? 0 : point - 1;
  const power = [...String(Math.abs(exponent)).padStart(2, '0')].map((digit) => raised[Number(digit)]).join('');
  return `${negative ? '-' : ''}${digits[0] ?? '0'}.${digits.slice(1).padEnd(fractionOfScientific, '0')}×10${exponent < 0 ? '⁻' : ''}${power}`;
}

/** The minimum and maximum of digits after the point; the printer that upstream uses stores them in 8 and 16 bits. */
function limits(precision: number): [least: number, most: number] {
  return [precision & 0xff, (precision << 16) >> 16];
}
