import { Buffer } from 'node:buffer';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { CelObject } from './cel-type.ts';
import { CelType } from './cel-type.ts';
import { equalNumbers, isNumber } from './order.ts';
import { CelDuration, CelError, CelList, CelMap, CelOptional, CelTimestamp, type Value } from './value.ts';
import { countWork, inOneTurn } from './work-limit.ts';

/**
 * `a == b`. Values of different types are not equal, but numbers of different kinds may be.
 * @throws WorkLimitExceeded if the comparison is too large to run without a pause
 */
export function equals(a: Value, b: Value): boolean | CelError {
  if (a instanceof CelError) return a;
  if (b instanceof CelError) return b;
  if (typeof a === 'string' || typeof a === 'boolean' || a === null) return a === b;
  if (isNumber(a)) return isNumber(b) && equalNumbers(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (!holdsValues(a)) return equalObjects(a, b);
  return inOneTurn(equalsInSteps(a, b));
}

/** {@link equals} in steps. */
export function* equalsInSteps(a: Value, b: Value): Steps<boolean | CelError> {
  if (b instanceof CelError) return a instanceof CelError ? a : b;
  if (a instanceof CelList)
    return b instanceof CelList
      ? yield* a.equalsList?.(b) ?? equalLists(a, b)
      : otherKind(a.equalsList !== undefined, b);
  if (a instanceof CelMap)
    return b instanceof CelMap ? yield* a.equalsMap?.(b) ?? equalMaps(a, b) : otherKind(a.equalsMap !== undefined, b);
  if (a instanceof CelObject && a.equalsInSteps !== undefined) return yield* a.equalsInSteps(b);
  if (!(a instanceof CelOptional)) return equals(a, b);
  if (!(b instanceof CelOptional)) return false;
  return a.value === undefined || b.value === undefined ? a.value === b.value : yield* equalsInSteps(a.value, b.value);
}

/** Compares a list or map with a value of another kind: a view returns an error, as in Kubernetes, except for null. */
function otherKind(isView: boolean, b: Value): boolean | CelError {
  return isView && b !== null ? new CelError('no such overload') : false;
}

/**
 * {@link equalsInSteps} for items or members of two views (lists and maps over JSON): here it is an error to compare a
 * list or map with null.
 */
export function* equalParts(a: Value, b: Value): Steps<boolean | CelError> {
  if (!holdsValues(a) || b instanceof CelError) return equalWithin(a, b);
  if (b === null && (a instanceof CelList || a instanceof CelMap)) return new CelError('no such overload');
  return yield* equalsInSteps(a, b);
}

/**
 * {@link equals} for items or members of lists and maps. If `b` could not be read (it is a CelError), a plain value is
 * unequal to it, and a view returns the error.
 */
export function equalWithin(a: Value, b: Value): boolean | CelError {
  if (!(b instanceof CelError) || a instanceof CelError) return equals(a, b);
  const isView =
    (a instanceof CelList && a.equalsList !== undefined) || (a instanceof CelMap && a.equalsMap !== undefined);
  return isView ? b : false;
}

/** Whether a comparison of the value may have to run in steps. */
export function holdsValues(value: Value): value is CelObject {
  return (
    value instanceof CelList ||
    value instanceof CelMap ||
    value instanceof CelOptional ||
    (value instanceof CelObject && value.equalsInSteps !== undefined)
  );
}

function takesSteps(a: Value, b: Value): boolean {
  return holdsValues(a) && !(b instanceof CelError);
}

function* equalLists(a: CelList, b: CelList): Steps<boolean> {
  if (a.size !== b.size) return false;
  for (let index = 0; index < a.size; index++) {
    const [mine, other] = [a.get(index), b.get(index)];
    if ((takesSteps(mine, other) ? yield* equalsInSteps(mine, other) : equalWithin(mine, other)) === false)
      return false;
    if (countWork()) yield;
  }
  return true;
}

function* equalMaps(a: CelMap, b: CelMap): Steps<boolean> {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const other = b.find(key);
    const mine = a.find(key) ?? null;
    if (
      other === undefined ||
      (takesSteps(mine, other) ? yield* equalsInSteps(mine, other) : equalWithin(mine, other)) === false
    )
      return false;
    if (countWork()) yield;
  }
  return true;
}

function equalObjects(a: CelObject, b: Value): boolean | CelError {
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanoseconds === b.nanoseconds;
  if (a instanceof CelTimestamp) return b instanceof CelTimestamp && a.seconds === b.seconds && a.nanos === b.nanos;
  if (a instanceof CelType) return b instanceof CelType && a.name === b.name;
  return a.equals(b);
}
