import { withoutTrailing } from '../../../apimachinery/without-trailing.ts';

/**
 * Doubles as `%f` and `%e` print them in American English: groups of thousands, `×` and raised digits for powers of
 * ten. Their exact values are rounded, halves to even.
 */

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';

interface Digits {
  readonly negative: boolean;
  /** Without zeros at its ends; empty for zero. */
  readonly digits: string;
  /** Where the decimal point stands: behind so many digits. */
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
  // A fraction of twos is one of tens with as many fives above.
  const whole = exponent >= 0 ? mantissa << BigInt(exponent) : mantissa * 5n ** BigInt(-exponent);
  const digits = String(whole);
  return trimmed(
    { negative: value < 0, digits, point: 0 },
    whole === 0n ? '' : digits,
    digits.length + Math.min(0, exponent),
  );
}

/** The digits that stand for a number and for no other. */
function shortest(value: number): Digits {
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential().split('e');
  return trimmed(
    { negative: value < 0, digits: '', point: 0 },
    mantissa === '0' ? '' : mantissa.replace('.', ''),
    Number(exponent) + 1,
  );
}

/** Keeps so many digits. A carry may leave one digit more before the point. */
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

function special(value: number): string | undefined {
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

/** `1234.500000`, of a finite number. */
export function plainFixed(value: number, precision: number): string {
  const number = roundFraction(value, precision);
  return `${number.negative || Object.is(value, -0) ? '-' : ''}${integerOf(number)}.${fractionOf(number, precision)}`;
}

/** `1,234.500` */
export function fixed(value: number, precision: number): string {
  const shown = special(value);
  if (shown !== undefined) return shown;
  const [least, most] = limits(precision);
  const number = roundFraction(value, most);
  const padded = fractionOf(number, least);
  const grouped = inThousands(integerOf(number));
  return `${number.negative ? '-' : ''}${grouped}${padded === '' ? '' : `.${padded}`}`;
}

const fractionOfScientific = 6;

/**
 * `1.234500×10⁰³`, filled up with spaces before it: what follows the point of `%.9e` is a width for upstream, and there
 * are always six digits.
 */
export function scientific(value: number, width: number): string {
  return (special(value) ?? scientificText(value)).padStart(Math.min(width, longestWidth));
}

/** Upstream's printer takes no greater width. */
const longestWidth = 1_000_000;

function scientificText(value: number): string {
  const { negative, digits, point } = round(exact(value), fractionOfScientific + 1);
  const exponent = digits === '' ? 0 : point - 1;
  const power = [...String(Math.abs(exponent)).padStart(2, '0')].map((digit) => raised[Number(digit)]).join('');
  return `${negative ? '-' : ''}${digits[0] ?? '0'}.${digits.slice(1).padEnd(fractionOfScientific, '0')}×10${exponent < 0 ? '⁻' : ''}${power}`;
}

/** The least and the most digits behind the point: the printer that upstream uses has 8 and 16 bits for them. */
function limits(precision: number): [least: number, most: number] {
  return [precision & 0xff, (precision << 16) >> 16];
}
