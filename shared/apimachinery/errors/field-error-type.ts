import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { goJson, goQuote } from '#shared/apimachinery/text/go-format.ts';

export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTooFew'
  | 'FieldValueTooShort'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/** A bad value whose text is printed as it is, for the few values that Go prints neither as JSON nor quoted. */
export class VerbatimValue {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * A text whose type in Go has a name, such as DeletionPropagation, or is a pointer: it is printed as JSON, plain
 * strings are quoted.
 */
export function textOfNamedType(text: string): VerbatimValue {
  return new VerbatimValue(goJson(text));
}

/** A text that the reference converts to a plain string, in an error about a field whose type has a name. */
export function textOfPlainType(text: string): VerbatimValue {
  return new VerbatimValue(goQuote(text));
}

/** A value in an error: `undefined` leaves the value out, Go's nil is `null`. */
export type BadValue = JsonValue | VerbatimValue | undefined;

export interface FieldError {
  readonly type: FieldErrorType;
  /** Path in text form; `<nil>` where the reference has no path. */
  readonly field: string;
  readonly badValue: BadValue;
  readonly detail: string;
}
