import { compareUtf8, goFloat, goQuote } from '#shared/apimachinery/text/go-format.ts';
import { CelType } from '#shared/cel/values/cel-type.ts';
import { durationText, timestampText, toText } from '#shared/cel/values/conversions.ts';
import { typeOf } from '#shared/cel/values/type-of.ts';
import {
  CelDouble,
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelTimestamp,
  CelUint,
  type Value,
} from '#shared/cel/values/value.ts';
import { countWork, spendBatch } from '#shared/cel/values/work-limit.ts';
import { plainFixed } from './format-number.ts';

/** Digits after the point of a double in a list or map. */
const digitsOfNested = 6;

/** Formats a value as `%s` prints it; returns an error for a value without a text form. */
export function formatString(value: Value): string | CelError {
  if (typeof value === 'string') return value;
  if (value instanceof CelDouble || value instanceof CelTimestamp || value instanceof CelDuration)
    return String(toText(value));
  return formatNested(value, () => textError(value));
}

/**
 * Formats a value within a list or map; as a CEL literal if its type has literals.
 * @throws WorkLimitExceeded if it contains too many values: the cost limit does not bound the work of printing
 */
function formatElement(value: Value): string | CelError {
  if (typeof value === 'string') return goQuote(value);
  if (value instanceof Uint8Array) {
    const text = utf8(value);
    return text instanceof CelError ? text : `b${goQuote(text)}`;
  }
  if (value instanceof CelDouble)
    return Number.isFinite(value.value) ? plainFixed(value.value, digitsOfNested) : `"${goFloat(value.value)}"`;
  if (value instanceof CelTimestamp) return `timestamp(${goQuote(timestampText(value))})`;
  if (value instanceof CelDuration) return `duration(${goQuote(durationText(value))})`;
  return formatNested(value, () => new CelError(`no formatting function for ${typeOf(value).name}`));
}

function formatNested(value: Value, otherwise: () => CelError): string | CelError {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint')
    return String(value);
  if (value instanceof Uint8Array) return utf8(value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelList) return formatList(value);
  if (value instanceof CelMap) return formatMap(value);
  return value instanceof CelType ? value.name : otherwise();
}

function formatList(list: CelList): string | CelError {
  const parts: string[] = [];
  for (let index = 0; index < list.size; index++) {
    const part = formatElement(list.get(index));
    if (part instanceof CelError) return part;
    parts.push(part);
    if (countWork()) spendBatch();
  }
  return `[${parts.join(', ')}]`;
}

function formatMap(map: CelMap): string | CelError {
  const entries: [key: string, value: string][] = [];
  for (const key of map.keys()) {
    if (
      typeof key !== 'string' &&
      typeof key !== 'boolean' &&
      typeof key !== 'number' &&
      typeof key !== 'bigint' &&
      !(key instanceof CelUint)
    ) {
      return new CelError(`no formatting function for map key of type ${typeOf(key).name}`);
    }
    const value = formatElement(map.find(key) ?? null);
    if (value instanceof CelError) return value;
    if (countWork()) spendBatch();
    entries.push([typeof key === 'string' ? goQuote(key) : String(key instanceof CelUint ? key.value : key), value]);
  }
  entries.sort(([a], [b]) => compareUtf8(a, b));
  return `{${entries.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}

function textError(value: Value): CelError {
  return new CelError(
    `string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ${typeOf(value).name}`,
  );
}

function utf8(bytes: Uint8Array): string | CelError {
  const text = toText(bytes);
  return typeof text === 'string'
    ? text
    : new CelError(`could not convert argument ${goQuote((text as CelError).message)} to string`);
}
