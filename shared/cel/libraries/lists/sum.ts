import { CelDouble, CelDuration, CelError, CelUint, int, type CelList, type Value } from '../../values/value.ts';

/** The sum of a list's elements, beginning with a zero of their type. */
export function sum(list: CelList, zero: Value): Value {
  let total = zero;
  for (let index = 0; index < list.size; index++) {
    total = add(total, list.get(index));
    if (total instanceof CelError) return total;
  }
  return total;
}

function add(a: Value, b: Value): Value {
  if (b instanceof CelError) return b;
  if (isInt(a) && isInt(b)) return addInts(a, b);
  if (a instanceof CelUint && b instanceof CelUint) return addUints(a.value, b.value);
  if (a instanceof CelDouble && b instanceof CelDouble) return new CelDouble(a.value + b.value);
  if (a instanceof CelDuration && b instanceof CelDuration) {
    const nanoseconds = a.nanoseconds + b.nanoseconds;
    return nanoseconds === BigInt.asIntN(64, nanoseconds) ? new CelDuration(nanoseconds) : new CelError('integer overflow');
  }
  return new CelError('no such overload');
}

function isInt(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function addInts(a: number | bigint, b: number | bigint): Value {
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a + b)) return a + b;
  const total = BigInt(a) + BigInt(b);
  return total === BigInt.asIntN(64, total) ? int(total) : new CelError('integer overflow');
}

function addUints(a: number | bigint, b: number | bigint): Value {
  const total = BigInt(a) + BigInt(b);
  return total === BigInt.asUintN(64, total) ? new CelUint(int(total)) : new CelError('unsigned integer overflow');
}
