import type { CelObject } from '../types/cel-object.ts';
import { CelType } from '../types/cel-type.ts';
import { equalNumbers, isNumber } from './order.ts';
import { CelDuration, CelError, CelList, CelMap, CelOptional, CelTimestamp, type Value } from './value.ts';

/** `a == b`. Values of different types are not equal, but numbers of different kinds may be. */
export function equals(a: Value, b: Value): boolean | CelError {
  if (a instanceof CelError) return a;
  if (b instanceof CelError) return b;
  if (typeof a === 'string' || typeof a === 'boolean' || a === null) return a === b;
  if (isNumber(a)) return isNumber(b) && equalNumbers(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && a.length === b.length && a.every((byte, at) => byte === b[at]);
  if (a instanceof CelList) return b instanceof CelList && (a.equalsList === undefined ? equalLists(a, b) : a.equalsList(b));
  if (a instanceof CelMap) return b instanceof CelMap && (a.equalsMap === undefined ? equalMaps(a, b) : a.equalsMap(b));
  return equalObjects(a, b);
}

function equalLists(a: CelList, b: CelList): boolean {
  if (a.size !== b.size) return false;
  for (let index = 0; index < a.size; index++) if (equals(a.get(index), b.get(index)) === false) return false;
  return true;
}

function equalMaps(a: CelMap, b: CelMap): boolean {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const other = b.find(key);
    if (other === undefined || equals(a.find(key) ?? null, other) === false) return false;
  }
  return true;
}

function equalObjects(a: CelObject, b: Value): boolean | CelError {
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanoseconds === b.nanoseconds;
  if (a instanceof CelTimestamp) return b instanceof CelTimestamp && a.seconds === b.seconds && a.nanos === b.nanos;
  if (a instanceof CelOptional) {
    if (!(b instanceof CelOptional)) return false;
    return a.value === undefined || b.value === undefined ? a.value === b.value : equals(a.value, b.value);
  }
  if (a instanceof CelType) return b instanceof CelType && a.name === b.name;
  return a.equals(b);
}
