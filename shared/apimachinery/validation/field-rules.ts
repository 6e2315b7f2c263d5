import {
  invalid,
  notSupported,
  path,
  required,
  type BadValue,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { int64At } from '#shared/apimachinery/object.ts';
import type { Int64 } from '#shared/apimachinery/values/int64.ts';

/** The path of the whole object, as the reference prints a path whose only name is empty. */
export const rootField = path('[]');

/** One `Invalid value` error for each message of a rule for names. */
export function messages(texts: readonly string[], field: Path, value: BadValue): FieldError[] {
  return texts.map((text) => invalid(field, value, text));
}

/** Validates a required text that must be one of `known`, which has the order that the reference prints. */
export function oneOf(value: string, known: readonly string[], field: Path): FieldError[] {
  if (value === '') return [required(field, '')];
  return known.includes(value) ? [] : [notSupported(field, value, known)];
}

/** Validates a text that must be empty or one of `known`. */
export function optionalOneOf(value: string, known: readonly string[], field: Path): FieldError[] {
  return value === '' || known.includes(value) ? [] : [notSupported(field, value, known)];
}

/** Validates a text that must be one of `known` if it is set, even to the empty text (pointers in Go). */
export function givenOneOf(value: JsonValue | undefined, known: readonly string[], field: Path): FieldError[] {
  return typeof value !== 'string' || known.includes(value) ? [] : [notSupported(field, value, known)];
}

export function nonNegative(value: Int64, field: Path): FieldError[] {
  return value < 0 ? [invalid(field, value, 'must be greater than or equal to 0')] : [];
}

/** Validates number fields that must not be negative if they are set. */
export function nonNegativeFields(object: JsonObject | undefined, names: readonly string[], field: Path): FieldError[] {
  return names.flatMap((name) => {
    const value = int64At(object, name);
    return value === undefined ? [] : nonNegative(value, field.child(name));
  });
}
