import { goFloat, goQuote } from '#shared/apimachinery/text/go-format.ts';
import { CelType } from './cel-type.ts';
import { durationText, timestampText } from './conversions.ts';
import {
  CelDouble,
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  type Value,
} from './value.ts';

/** A value as a message of cel-go prints it. */
export function printValue(value: Value): string {
  if (typeof value === 'string') return value;
  if (value === null) return '0';
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelDouble) return goFloat(value.value);
  if (value instanceof CelDuration) return durationText(value);
  if (value instanceof CelTimestamp) return timestampText(value);
  if (value instanceof CelType) return value.toString();
  if (value instanceof CelError) return value.message;
  if (value instanceof CelOptional)
    return value.value === undefined ? 'optional.none()' : `optional(${printValue(value.value)})`;
  if (value instanceof Uint8Array) return `[${value.join(' ')}]`;
  if (value instanceof CelList)
    return `[${Array.from({ length: value.size }, (_, index) => printValue(value.get(index))).join(', ')}]`;
  if (value instanceof CelMap)
    return `{${Array.from(value.keys(), (key) => `${printValue(key)}: ${printValue(value.find(key) ?? null)}`).join(', ')}}`;
  return typeof value === 'object' ? goQuote(value.type.name) : String(value);
}
