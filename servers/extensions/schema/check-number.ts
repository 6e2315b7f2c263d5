import { VerbatimValue } from '#shared/apimachinery/errors/field-error.ts';
import { goFloat } from '#shared/apimachinery/text/go-format.ts';
import { truncateToInt64, type Int64 } from '#shared/apimachinery/values/int64.ts';
import { broken, brokenAs, general, type CheckResult } from './check-result.ts';
import { isInteger } from './is-integer.ts';
import type { SchemaNode } from './schema-node.ts';

const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);
const maxFloat32 = 3.4028234663852886e38;

/** Checks the bounds of a number. A bound that the type cannot represent is an error, and is applied nevertheless. */
export function checkNumber(given: number | bigint, schema: SchemaNode, name: string, result: CheckResult): void {
  const value = isInteger(given) ? given : Number(given);
  const type = schema.types.length === 1 ? (schema.types[0] ?? '') : '';
  const inRange = (number: number | bigint, what: string): boolean => {
    if (fits(number, type, schema.format)) return true;
    const kind = schema.format === '' ? `${type} (default format)` : `${type} with format ${schema.format}`;
    result.add(general(`${what} value must be of type ${kind} in ${name}`));
    return false;
  };
  inRange(value, 'Checked');
  const multipleOf = schema.number('multipleOf');
  if (multipleOf !== undefined) checkMultiple(value, multipleOf, inRange(multipleOf, 'MultipleOf'), name, result);
  const maximum = schema.number('maximum');
  if (maximum !== undefined) {
    const [number, bound] = compared(value, maximum, inRange(maximum, 'Maximum boundary'));
    const exclusive = schema.raw['exclusiveMaximum'] === true;
    if (exclusive ? number >= bound : number > bound)
      result.add(broken(name, shown(number), `should be less than ${exclusive ? '' : 'or equal to '}${textOf(bound)}`));
  }
  const minimum = schema.number('minimum');
  if (minimum !== undefined) {
    const [number, bound] = compared(value, minimum, inRange(minimum, 'Minimum boundary'));
    const exclusive = schema.raw['exclusiveMinimum'] === true;
    if (exclusive ? number <= bound : number < bound)
      result.add(
        broken(name, shown(number), `should be greater than ${exclusive ? '' : 'or equal to '}${textOf(bound)}`),
      );
  }
}

/** A number as Go's float64, which is printed otherwise than an int64. */
class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  valueOf(): number {
    return this.value;
  }
}

/**
 * A value and a bound as they are compared: as int64 where both are, which cuts the bound off, or else as float64. A
 * bound is `native` if the type can represent it.
 */
function compared(value: number | bigint, bound: number, native: boolean): readonly [Int64 | Double, Int64 | Double] {
  return native && isInteger(value) ? [value, truncateToInt64(bound)] : [new Double(Number(value)), new Double(bound)];
}

function textOf(number: Int64 | Double): string {
  return number instanceof Double ? goFloat(number.value) : number.toString();
}

function shown(number: Int64 | Double): VerbatimValue {
  return new VerbatimValue(textOf(number));
}

/** Whether a number is an integer apart from rounding errors (go-openapi/swag, IsFloat64AJSONInteger). */
export function isNearlyInteger(value: number): boolean {
  if (Number.isInteger(value) || value < 1) return Number.isSafeInteger(value);
  const whole = Math.trunc(value);
  return whole <= Number.MAX_SAFE_INTEGER && (value - whole) / (value + whole) < 1e-9;
}

function checkMultiple(
  value: number | bigint,
  factor: number,
  native: boolean,
  name: string,
  result: CheckResult,
): void {
  const [number, divisor] = compared(value, factor, native);
  if (divisor.valueOf() <= 0) {
    const rule = `factor MultipleOf declared for ${name} must be positive: ${textOf(divisor)}`;
    result.add(brokenAs(name, shown(divisor), rule));
    return;
  }
  const holds =
    number instanceof Double || divisor instanceof Double
      ? isNearlyInteger(factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor)
      : BigInt(number) % BigInt(divisor) === 0n;
  if (!holds) result.add(broken(name, shown(number), `should be a multiple of ${textOf(divisor)}`));
}

/** A number in the digits that Go prints: those of a float64 end with zeros where an int64 has others. */
function digitsOf(value: number | bigint): bigint | undefined {
  const text = String(value);
  return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
}

function fits(value: number | bigint, type: string, format: string): boolean {
  if (type === 'integer') {
    const whole = digitsOf(value);
    if (whole === undefined) return false;
    return format === 'int32' ? whole >= -(2n ** 31n) && whole < 2n ** 31n : whole >= minInt64 && whole <= maxInt64;
  }
  return type !== 'number' || format !== 'float' || Math.abs(Number(value)) <= maxFloat32;
}
