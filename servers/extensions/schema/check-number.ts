import { goFloat, goNumber } from '#shared/apimachinery/text/go-format.ts';
import { truncateToInt64 } from '#shared/apimachinery/values/int64.ts';
import { broken, brokenAs, general, type CheckResult } from './check-result.ts';
import { isInteger } from './is-integer.ts';
import type { SchemaNode } from './schema-node.ts';

const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);
const maxFloat32 = 3.4028234663852886e38;

/** Checks the bounds of a number. A bound that the type cannot represent is an error, and is applied nevertheless. */
export function checkNumber(value: number | bigint, schema: SchemaNode, name: string, result: CheckResult): void {
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
    const bound = boundFor(value, maximum, inRange(maximum, 'Maximum boundary'));
    const exclusive = schema.raw['exclusiveMaximum'] === true;
    if (exclusive ? value >= bound : value > bound)
      result.add(
        broken(name, value, `should be less than ${exclusive ? '' : 'or equal to '}${boundText(value, bound)}`),
      );
  }
  const minimum = schema.number('minimum');
  if (minimum !== undefined) {
    const bound = boundFor(value, minimum, inRange(minimum, 'Minimum boundary'));
    const exclusive = schema.raw['exclusiveMinimum'] === true;
    if (exclusive ? value <= bound : value < bound)
      result.add(
        broken(name, value, `should be greater than ${exclusive ? '' : 'or equal to '}${boundText(value, bound)}`),
      );
  }
}

/** The bound that applies to a value: for an integer, what Go makes an int64 of. */
function boundFor(value: number | bigint, bound: number, native: boolean): number | bigint {
  return native && isInteger(value) ? truncateToInt64(bound) : bound;
}

/** The text of a bound. Bounds are printed as floats, unless they were converted for an integer. */
function boundText(value: number | bigint, bound: number | bigint): string {
  if (typeof bound === 'bigint') return bound.toString();
  return isInteger(value) && Number.isInteger(bound) ? goNumber(bound) : goFloat(bound);
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
  const whole = native && isInteger(value);
  const divisor = whole ? truncateToInt64(factor) : factor;
  if (divisor <= 0) {
    result.add(
      brokenAs(name, divisor, `factor MultipleOf declared for ${name} must be positive: ${boundText(value, divisor)}`),
    );
    return;
  }
  const holds = whole
    ? BigInt(value) % BigInt(divisor) === 0n
    : isNearlyInteger(factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor);
  if (!holds) result.add(broken(name, value, `should be a multiple of ${boundText(value, divisor)}`));
}

function fits(value: number | bigint, type: string, format: string): boolean {
  if (type === 'integer') {
    if (typeof value === 'number' && !Number.isInteger(value)) return false;
    const whole = BigInt(value);
    return format === 'int32' ? whole >= -(2n ** 31n) && whole < 2n ** 31n : whole >= minInt64 && whole <= maxInt64;
  }
  return type !== 'number' || format !== 'float' || Math.abs(Number(value)) <= maxFloat32;
}
