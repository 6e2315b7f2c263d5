import { goFloat } from '#shared/apimachinery/text/go-format.ts';
import { CelType } from '#shared/cel/values/cel-type.ts';
import { goType } from '#shared/cel/values/go-type.ts';
import { typeOf } from '#shared/cel/values/type-of.ts';
import { CelDouble, CelError, CelList, CelMap, CelStruct, CelUint, type Value } from '#shared/cel/values/value.ts';

/** The result of a look-up of an element or field that does not exist. */
export const absent = Symbol('absent');

/** The error for a key or index of a type that no value supports. */
export function keyError(key: Value): CelError | undefined {
  if (typeof key === 'string' || typeof key === 'number' || typeof key === 'bigint' || typeof key === 'boolean')
    return undefined;
  return key instanceof CelUint || key instanceof CelDouble || key instanceof CelError
    ? undefined
    : new CelError(`invalid qualifier type: ${goType(key)}`);
}

/** The element of a list, the value of a map or the field of a message; an error if it does not exist. */
export function qualify(value: Value, key: Value): Value {
  const found = qualifyIfPresent(value, key);
  if (found !== absent) return found;
  return value instanceof CelList ? new CelError(`index out of bounds: ${printKey(key)}`) : noSuchKey(key);
}

export function noSuchKey(key: Value): CelError {
  return new CelError(`no such key: ${printKey(key)}`);
}

/** Like {@link qualify}, but returns `absent` for an element or key that does not exist. */
export function qualifyIfPresent(value: Value, key: Value): Value | typeof absent {
  if (value instanceof CelMap) {
    const found = value.find(key);
    return found === undefined ? absent : found;
  }
  if (value instanceof CelList) {
    const index = listIndex(key);
    if (index instanceof CelError) return index;
    return index >= 0 && index < value.size ? value.get(Number(index)) : absent;
  }
  if (value instanceof CelError) return value;
  if (value instanceof CelStruct) return field(value, key);
  return absent;
}

function field(value: CelStruct, key: Value): Value {
  const found = typeof key === 'string' ? value.get(key) : undefined;
  return found === undefined ? new CelError(`no such field '${printKey(key)}'`) : found;
}

/** Whether an element or key exists, or a field is set; may return an error. */
export function isPresent(value: Value, key: Value): Value {
  if (value instanceof CelStruct)
    return (typeof key === 'string' ? value.has(key) : undefined) ?? new CelError(`no such field '${printKey(key)}'`);
  const found = qualifyIfPresent(value, key);
  return found instanceof CelError ? found : found !== absent;
}

function listIndex(key: Value): number | bigint | CelError {
  if (typeof key === 'number' || typeof key === 'bigint') return key;
  if (key instanceof CelUint) return key.value;
  if (key instanceof CelDouble)
    return Number.isSafeInteger(key.value)
      ? key.value
      : new CelError(`unsupported index value ${goFloat(key.value)} in list`);
  return new CelError(`unsupported index type '${typeOf(key).toString()}' in list`);
}

function printKey(key: Value): string {
  if (key instanceof CelUint) return String(key.value);
  if (key instanceof CelDouble) return goFloat(key.value);
  return key instanceof CelType ? key.toString() : String(key);
}
