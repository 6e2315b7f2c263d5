import {
  invalid,
  notSupported,
  path,
  required,
  type FieldError,
  type Path,
} from '../../../shared/apimachinery/field-error.ts';
import type { JsonObject, JsonValue } from '../../../shared/apimachinery/json.ts';
import { numberAt } from '../../../shared/apimachinery/object.ts';

/** The path of the whole object, as the reference prints a path whose only name is empty. */
export const rootField = path('[]');

/** An `Invalid value` a message, as the rules of names return them. */
export function messages(texts: readonly string[], field: Path, value: string | number): FieldError[] {
  return texts.map((text) => invalid(field, value, text));
}

/** A text that must be there and be one of those known, which stand in the order that the reference prints. */
export function oneOf(value: string, known: readonly string[], field: Path): FieldError[] {
  if (value === '') return [required(field, '')];
  return known.includes(value) ? [] : [notSupported(field, value, known)];
}

/** A text that, where it is there, is one of those known. */
export function optionalOneOf(value: string, known: readonly string[], field: Path): FieldError[] {
  return value === '' || known.includes(value) ? [] : [notSupported(field, value, known)];
}

/** A text that, where it is given, is one of those known: the empty one is given too (pointers in Go). */
export function givenOneOf(value: JsonValue | undefined, known: readonly string[], field: Path): FieldError[] {
  return typeof value !== 'string' || known.includes(value) ? [] : [notSupported(field, value, known)];
}

export function nonNegative(value: number, field: Path): FieldError[] {
  return value < 0 ? [invalid(field, value, 'must be greater than or equal to 0')] : [];
}

/** The number fields of an object that, where they are there, are not below zero. */
export function nonNegativeFields(object: JsonObject | undefined, names: readonly string[], field: Path): FieldError[] {
  return names.flatMap((name) => {
    const value = numberAt(object, name);
    return value === undefined ? [] : nonNegative(value, field.child(name));
  });
}
