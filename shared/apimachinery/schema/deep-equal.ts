import { exactTextOf } from '#shared/apimachinery/json/exact-texts.ts';
import { getKey, isObject } from '#shared/apimachinery/json/json.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { isSliced, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { equalQuantityTexts } from '#shared/apimachinery/values/quantity.ts';
import { innerSchema } from './inner-schema.ts';
import type { Field, ScalarSchema, Schema, StructSchema } from './schema.ts';
import { mayHoldZeroTime } from './zero-time.ts';

/** Equality of JSON values; the order of keys does not count. */
export function deepEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => deepEqual(item, b[i]));
  if (!isObject(a) || !isObject(b)) return typeof a === 'number' && typeof b === 'number' && Object.is(a, b);
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && deepEqual(getKey(a, key), b[key]))
  );
}

/** As {@link deepEqual}, for large values. */
export function* deepEqualInSteps(a: JsonValue | undefined, b: JsonValue | undefined): Steps<boolean> {
  if (!isSliced() || typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return deepEqual(a, b);
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (const [i, item] of a.entries()) {
      if (!(typeof item === 'object' ? yield* deepEqualInSteps(item, b[i]) : deepEqual(item, b[i]))) return false;
      if (sliceIsOver()) yield;
    }
    return true;
  }
  if (Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (
      !Object.hasOwn(b, key) ||
      !(typeof getKey(a, key) === 'object'
        ? yield* deepEqualInSteps(getKey(a, key), b[key])
        : deepEqual(getKey(a, key), b[key]))
    )
      return false;
    if (sliceIsOver()) yield;
  }
  return true;
}

/**
 * Equality as the reference's `apiequality.Semantic.DeepEqual` sees it on objects in JSON shape: absent, null, empty
 * lists and empty objects are equal, so that a client who sends `labels: {}` changes nothing. Scalars compare as they
 * are: quantities and times are canonical already. Where a type's pointers or differently spelled quantities matter,
 * use {@link semanticEqualAs}.
 */
export function semanticEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b);
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => semanticEqual(item, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  return unionOfKeys(a, b).every((key) => semanticEqual(ownValue(a, key), ownValue(b, key)));
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const key in value) if (Object.hasOwn(value, key) && !isEmpty(value[key])) return false;
  return true;
}

function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function unionOfKeys(a: JsonObject, b: JsonObject): string[] {
  return [...Object.keys(a), ...Object.keys(b).filter((key) => !Object.hasOwn(a, key))];
}

/**
 * As {@link semanticEqual}, but exactly as Go compares values of the type: a nil pointer differs from a pointer to an
 * empty struct, an absent field that is no pointer equals its zero value, quantities compare by amount.
 */
export function semanticEqualAs(schema: Schema, a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  switch (schema.kind) {
    case 'scalar':
      return equalScalars(schema, a, b);
    case 'struct': {
      if (schema.jsonForm === undefined) return equalStructs(schema, isObject(a) ? a : {}, isObject(b) ? b : {});
      return isObject(a) && isObject(b) ? equalStructs(innerSchema(schema), a, b) : deepEqual(a ?? null, b ?? null);
    }
    case 'list': {
      const left = Array.isArray(a) ? a : [];
      const right = Array.isArray(b) ? b : [];
      return left.length === right.length && left.every((item, i) => semanticEqualAs(schema.items, item, right[i]));
    }
    case 'map': {
      const left = isObject(a) ? a : {};
      const right = isObject(b) ? b : {};
      const keys = Object.keys(left);
      return (
        keys.length === Object.keys(right).length &&
        keys.every((key) => Object.hasOwn(right, key) && semanticEqualAs(schema.values, getKey(left, key), right[key]))
      );
    }
  }
}

/** As {@link semanticEqualAs}, for one member of two objects. */
export function semanticEqualMembers(schema: StructSchema, name: string, a: JsonObject, b: JsonObject): boolean {
  return equalMembers(schema, name, ownValue(a, name), ownValue(b, name));
}

/** As {@link semanticEqualAs}, for large values. */
export function* semanticEqualAsInSteps(
  schema: Schema,
  a: JsonValue | undefined,
  b: JsonValue | undefined,
): Steps<boolean> {
  if (sliceIsOver()) yield;
  if (!isSliced() || a === b) return semanticEqualAs(schema, a, b);
  if (schema.kind === 'list' && Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    for (let i = 0; i < a.length; i++) if (!(yield* semanticEqualAsInSteps(schema.items, a[i], b[i]))) return false;
    return true;
  }
  if (schema.kind === 'scalar' || !isObject(a) || !isObject(b)) return semanticEqualAs(schema, a, b);
  const type = schema.kind === 'struct' && schema.jsonForm !== undefined ? innerSchema(schema) : schema;
  for (const key of unionOfKeys(a, b)) {
    const [left, right] = [ownValue(a, key), ownValue(b, key)];
    if (type.kind === 'struct') {
      const field = type.byName.get(key);
      const isDeep = typeof left === 'object' && left !== null && typeof right === 'object' && right !== null;
      if (
        field !== undefined &&
        !(isDeep ? yield* semanticEqualAsInSteps(field.schema, left, right) : equalFields(field, left, right))
      )
        return false;
    } else if (
      left === undefined ||
      right === undefined ||
      type.kind !== 'map' ||
      !(yield* semanticEqualAsInSteps(type.values, left, right))
    )
      return false;
  }
  return true;
}

function equalScalars({ type }: ScalarSchema, a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (type === 'quantity') return equalQuantities(a, b);
  return type === 'rawExtension'
    ? exactTextOf(a) === exactTextOf(b) && equalTexts(a ?? null, b ?? null)
    : deepEqual(a ?? null, b ?? null);
}

/** Compares JSON that Go keeps as text: it is equal only if the keys are in the same order, too. */
function equalTexts(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => equalTexts(item, b[i]));
  if (!isObject(a) || !isObject(b)) return deepEqual(a, b);
  const [left, right] = [Object.keys(a), Object.keys(b)];
  return (
    left.length === right.length &&
    left.every((key, i) => key === right[i] && equalTexts(getKey(a, key), getKey(b, key)))
  );
}

function equalQuantities(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return equalQuantityTexts(typeof a === 'string' ? a : '0', typeof b === 'string' ? b : '0');
}

/** Compares only the keys that either object has: a field that both leave out is equal. */
function equalStructs(schema: StructSchema, a: JsonObject, b: JsonObject): boolean {
  for (const key of Object.keys(a)) if (!equalMembers(schema, key, a[key], ownValue(b, key))) return false;
  for (const key of Object.keys(b))
    if (!Object.hasOwn(a, key) && !equalMembers(schema, key, undefined, b[key])) return false;
  return true;
}

function equalMembers(schema: StructSchema, key: string, a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  const field = schema.byName.get(key);
  return field === undefined || equalFields(field, a, b);
}

function equalFields(field: Field, a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  const left = a ?? undefined;
  const right = b ?? undefined;
  if (left === right) return a === b || !mayHoldZeroTime(field);
  if (field.pointer && (left === undefined || right === undefined)) return false;
  if (field.schema.kind !== 'scalar' || field.schema.type === 'quantity' || field.schema.type === 'rawExtension')
    return semanticEqualAs(field.schema, left, right);
  return deepEqual(left ?? zeroOf(right), right ?? zeroOf(left));
}

/** Go's zero value of the type that a scalar has. */
function zeroOf(value: JsonValue | undefined): JsonValue {
  if (typeof value === 'number' || typeof value === 'bigint') return 0;
  return typeof value === 'boolean' ? false : typeof value === 'string' ? '' : null;
}

/**
 * Whether a value contains an empty list or map. Go's `reflect.DeepEqual` distinguishes an empty list from an absent
 * one, and stored objects contain no empty ones: a request object with one differs from every stored object.
 */
export function holdsEmpty(schema: Schema, value: JsonValue | undefined): boolean {
  switch (schema.kind) {
    case 'scalar':
      return false;
    case 'struct':
      return isObject(value) && schema.flat.some((field) => holdsEmpty(field.schema, ownValue(value, field.name)));
    case 'list':
      return Array.isArray(value) && (value.length === 0 || value.some((item) => holdsEmpty(schema.items, item)));
    case 'map':
      return (
        isObject(value) &&
        (Object.keys(value).length === 0 || Object.values(value).some((item) => holdsEmpty(schema.values, item)))
      );
  }
}
