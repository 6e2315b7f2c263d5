import {
  durationOverflow,
  integerOverflow,
  noOperator,
  noSuchOverload,
  timestampOverflow,
  unsignedOverflow,
} from './errors.ts';
import { ConcatenatedList } from './list.ts';
import { CelDouble, CelDuration, CelError, CelList, CelTimestamp, CelUint, int, type Value } from './value.ts';

const maxInt = 2n ** 63n - 1n;
const minInt = -maxInt - 1n;
const maxUint = 2n ** 64n - 1n;
/** The range of timestamps in Unix seconds: from the start of year 1 to the last second of year 9999. */
export const minTimestamp = -62_135_596_800;
export const maxTimestamp = 253_402_300_799;

type Integer = number | bigint;

function isInteger(value: Value): value is Integer {
  return typeof value === 'number' || typeof value === 'bigint';
}

function checkedInt(value: bigint): Value {
  return value > maxInt || value < minInt ? new CelError(integerOverflow) : int(value);
}

function checkedUint(value: bigint): Value {
  return value > maxUint || value < 0n ? new CelError(unsignedOverflow) : new CelUint(int(value));
}

function checkedDuration(value: bigint): Value {
  return value > maxInt || value < minInt ? new CelError(durationOverflow) : new CelDuration(value);
}

function shifted({ seconds, nanos, offset }: CelTimestamp, by: bigint): Value {
  const total = BigInt(seconds) * 1_000_000_000n + BigInt(nanos) + by;
  const nano = ((total % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const whole = Number((total - nano) / 1_000_000_000n);
  return whole < minTimestamp || whole > maxTimestamp
    ? new CelError(timestampOverflow)
    : new CelTimestamp(whole, Number(nano), offset);
}

function betweenTimestamps(a: CelTimestamp, b: CelTimestamp): Value {
  const nanoseconds = BigInt(a.seconds - b.seconds) * 1_000_000_000n + BigInt(a.nanos - b.nanos);
  return nanoseconds > maxInt || nanoseconds < minInt ? new CelError(integerOverflow) : new CelDuration(nanoseconds);
}

export function add(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    return Number.isSafeInteger(sum) ? sum : checkedInt(BigInt(a) + BigInt(b));
  }
  if (typeof a === 'string') return typeof b === 'string' ? a + b : noSuchOverload();
  if (isInteger(a)) return isInteger(b) ? checkedInt(BigInt(a) + BigInt(b)) : noSuchOverload();
  if (a instanceof CelList) return b instanceof CelList ? (a.plus?.(b) ?? concatenate(a, b)) : noSuchOverload();
  if (a instanceof CelDouble) return b instanceof CelDouble ? new CelDouble(a.value + b.value) : noSuchOverload();
  if (a instanceof CelUint)
    return b instanceof CelUint ? checkedUint(BigInt(a.value) + BigInt(b.value)) : noSuchOverload();
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? Buffer.concat([a, b]) : noSuchOverload();
  if (a instanceof CelDuration) {
    if (b instanceof CelDuration) return checkedDuration(a.nanoseconds + b.nanoseconds);
    return b instanceof CelTimestamp ? shifted(b, a.nanoseconds) : noSuchOverload();
  }
  if (a instanceof CelTimestamp) return b instanceof CelDuration ? shifted(a, b.nanoseconds) : noSuchOverload();
  return noOperator('_+_', a);
}

function concatenate(a: CelList, b: CelList): CelList {
  if (a.size === 0) return b;
  return b.size === 0 ? a : new ConcatenatedList(a, b);
}

export function subtract(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    return Number.isSafeInteger(difference) ? difference : checkedInt(BigInt(a) - BigInt(b));
  }
  if (isInteger(a)) return isInteger(b) ? checkedInt(BigInt(a) - BigInt(b)) : noSuchOverload();
  if (a instanceof CelDouble) return b instanceof CelDouble ? new CelDouble(a.value - b.value) : noSuchOverload();
  if (a instanceof CelUint)
    return b instanceof CelUint ? checkedUint(BigInt(a.value) - BigInt(b.value)) : noSuchOverload();
  if (a instanceof CelDuration)
    return b instanceof CelDuration ? checkedDuration(a.nanoseconds - b.nanoseconds) : noSuchOverload();
  if (a instanceof CelTimestamp) {
    if (b instanceof CelDuration)
      return b.nanoseconds === minInt ? new CelError(durationOverflow) : shifted(a, -b.nanoseconds);
    if (b instanceof CelTimestamp) return betweenTimestamps(a, b);
    return noSuchOverload();
  }
  return noOperator('_-_', a);
}

export function multiply(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    return Number.isSafeInteger(product) ? product + 0 : checkedInt(BigInt(a) * BigInt(b));
  }
  if (isInteger(a)) return isInteger(b) ? checkedInt(BigInt(a) * BigInt(b)) : noSuchOverload();
  if (a instanceof CelDouble) return b instanceof CelDouble ? new CelDouble(a.value * b.value) : noSuchOverload();
  if (a instanceof CelUint)
    return b instanceof CelUint ? checkedUint(BigInt(a.value) * BigInt(b.value)) : noSuchOverload();
  return noOperator('_*_', a);
}

export function divide(a: Value, b: Value): Value {
  if (isInteger(a)) {
    if (!isInteger(b)) return noSuchOverload();
    if (b === 0) return new CelError('division by zero');
    return typeof a === 'number' && typeof b === 'number' ? Math.trunc(a / b) + 0 : checkedInt(BigInt(a) / BigInt(b));
  }
  if (a instanceof CelDouble) return b instanceof CelDouble ? new CelDouble(a.value / b.value) : noSuchOverload();
  if (a instanceof CelUint) {
    if (!(b instanceof CelUint)) return noSuchOverload();
    return b.value === 0 ? new CelError('division by zero') : checkedUint(BigInt(a.value) / BigInt(b.value));
  }
  return noOperator('_/_', a);
}

export function modulo(a: Value, b: Value): Value {
  if (isInteger(a)) {
    if (!isInteger(b)) return noSuchOverload();
    if (b === 0) return new CelError('modulus by zero');
    if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0;
    return BigInt(a) === minInt && b === -1 ? new CelError(integerOverflow) : int(BigInt(a) % BigInt(b));
  }
  if (a instanceof CelUint) {
    if (!(b instanceof CelUint)) return noSuchOverload();
    return b.value === 0 ? new CelError('modulus by zero') : checkedUint(BigInt(a.value) % BigInt(b.value));
  }
  return noOperator('_%_', a);
}

export function negate(a: Value): Value {
  if (typeof a === 'number') return 0 - a;
  if (typeof a === 'bigint') return checkedInt(-a);
  if (a instanceof CelDouble) return new CelDouble(-a.value);
  if (a instanceof CelDuration) return checkedDuration(-a.nanoseconds);
  return typeof a === 'boolean' ? noSuchOverload() : noOperator('-_', a);
}
