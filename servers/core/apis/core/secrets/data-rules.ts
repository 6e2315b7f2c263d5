import { forbidden, invalid, path, tooLong, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { getKey, setKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, objectAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { isConfigMapKey } from '#shared/apimachinery/validation/names.ts';

/** Maximum size of all values of a ConfigMap or Secret together. */
export const maxDataBytes = 1024 * 1024;

/** The decoded size of all base64 values together. */
export function* decodedLengths(values: JsonObject): Steps<number> {
  let bytes = 0;
  for (const key of Object.keys(values)) {
    bytes += Buffer.byteLength(String(getKey(values, key)), 'base64');
    if (sliceIsOver()) yield;
  }
  return bytes;
}

/** Errors for keys that are not valid ConfigMap keys. */
export function* validateKeys(field: string, values: JsonObject): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  for (const key of Object.keys(values)) {
    for (const message of isConfigMapKey(key)) errors.push(invalid(path(field).key(key), key, message));
    if (sliceIsOver()) yield;
  }
  return errors;
}

export function validateSize(field: string, bytes: number): FieldError[] {
  return bytes > maxDataBytes ? [tooLong(path(field), '', maxDataBytes)] : [];
}

/** In an immutable object, neither `immutable` nor the named maps may change. */
export function validateImmutable(object: KubeObject, old: KubeObject, maps: readonly string[]): FieldError[] {
  if (booleanAt(old, 'immutable') !== true) return [];
  const detail = 'field is immutable when `immutable` is set';
  const errors = booleanAt(object, 'immutable') === true ? [] : [forbidden(path('immutable'), detail)];
  for (const name of maps) {
    if (!sameStrings(objectAt(object, name), objectAt(old, name))) errors.push(forbidden(path(name), detail));
  }
  return errors;
}

function sameStrings(a: JsonObject = {}, b: JsonObject = {}): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && getKey(a, key) === b[key])
  );
}

/** Replaces null by empty bytes: the reference stores protobuf, which cannot tell the two apart. */
export function* emptyNullBytes(object: JsonObject, field: string): Steps<void> {
  const bytes = objectAt(object, field) ?? {};
  for (const key of Object.keys(bytes)) {
    if (getKey(bytes, key) === null) setKey(bytes, key, '');
    if (sliceIsOver()) yield;
  }
}
