import { Buffer } from 'node:buffer';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { CelDouble, CelDuration, CelError, CelTimestamp, CelUint, type Value } from './value.ts';

/**
 * Compares two values: negative, zero or positive; an error for types that cannot be compared, and for NaN. Numbers of
 * different kinds can be compared.
 */
export function orderOfValues(a: Value, b: Value): number | CelError {
  if (typeof a === 'string') return typeof b === 'string' ? compareUtf8(a, b) : noOrder();
  if (isNumber(a)) return isNumber(b) ? compareNumbers(a, b) : noOrder();
  if (typeof a === 'boolean') return typeof b === 'boolean' ? Number(a) - Number(b) : noOrder();
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? compareBytes(a, b) : noOrder();
  if (a instanceof CelDuration) return b instanceof CelDuration ? order(a.nanoseconds, b.nanoseconds) : noOrder();
  if (a instanceof CelTimestamp)
    return b instanceof CelTimestamp ? a.seconds - b.seconds || a.nanos - b.nanos : noOrder();
  return noOrder();
}

export type NumberValue = number | bigint | CelUint | CelDouble;

export function isNumber(value: Value): value is NumberValue {
  return (
    typeof value === 'number' || typeof value === 'bigint' || value instanceof CelUint || value instanceof CelDouble
  );
}

function compareNumbers(a: NumberValue, b: NumberValue): number | CelError {
  if (!(a instanceof CelDouble) && !(b instanceof CelDouble))
    return order(a instanceof CelUint ? a.value : a, b instanceof CelUint ? b.value : b);
  const [x, y] = [asDouble(a), asDouble(b)];
  return Number.isNaN(x) || Number.isNaN(y) ? new CelError('NaN values cannot be ordered') : order(x, y);
}

/** Whether two numbers are equal, whatever their kinds; NaN equals nothing. */
export function equalNumbers(a: NumberValue, b: NumberValue): boolean {
  return compareNumbers(a, b) === 0;
}

function asDouble(value: NumberValue): number {
  return Number(value instanceof CelDouble || value instanceof CelUint ? value.value : value);
}

function order(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b);
}

function noOrder(): CelError {
  return new CelError('no such overload');
}
