import { CelDouble, CelDuration, CelList, CelMap, CelTimestamp, CelUint, type Value } from './value.ts';

/** Whether a value is the zero value of its type: 0, false, an empty string, list or map, null. */
export function isZeroValue(value: Value): boolean {
  if (value === null || value === false || value === 0 || value === '') return true;
  if (value instanceof CelUint || value instanceof CelDouble) return value.value === 0;
  if (value instanceof CelList || value instanceof CelMap) return value.size === 0;
  if (value instanceof CelDuration) return value.nanoseconds === 0n;
  if (value instanceof CelTimestamp) return value.seconds === zeroSeconds && value.nanos === 0;
  return value instanceof Uint8Array && value.length === 0;
}

/** Go's zero time is the first second of year 1. */
const zeroSeconds = -62_135_596_800;
