import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { goJson, goNumber, goQuote } from '#shared/apimachinery/text/go-format.ts';
import { countFieldError } from './error-budget.ts';
import { VerbatimValue, type BadValue, type FieldError, type FieldErrorType } from './field-error-type.ts';

export { VerbatimValue, type BadValue, type FieldError, type FieldErrorType } from './field-error-type.ts';

/**
 * Path to a field in error texts: `spec.containers[0].ports[http]`. Immutable (apimachinery/pkg/util/validation/field).
 */
export class Path {
  readonly #parent: Path | undefined;
  /**
   * The last step with its separator (`.name`, `[0]`). Texts are put together only on demand: most paths never appear
   * in an error.
   */
  readonly #step: string;

  constructor(step: string, parent?: Path) {
    this.#step = step;
    this.#parent = parent;
  }

  child(...names: readonly string[]): Path {
    return names.length === 0 ? this : new Path(`.${names.length === 1 ? names[0] : names.join('.')}`, this);
  }

  index(index: number): Path {
    return new Path(`[${index}]`, this);
  }

  key(key: string): Path {
    return new Path(`[${key}]`, this);
  }

  toString(): string {
    const parent = this.#parent;
    return parent === undefined ? this.#step : parent.toString() + this.#step;
  }
}

/** The path of root fields: `path('spec', 'a')` prints `spec.a`. */
export function path(...names: readonly string[]): Path {
  return new Path(names.join('.'));
}

/** The child of a path that may be the reference's nil path. */
export function childOf(parent: Path | undefined, name: string): Path {
  return parent === undefined ? path(name) : parent.child(name);
}

const TYPE_TEXTS: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
  FieldValueTooShort: 'Too short',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
};
const WITHOUT_VALUE: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooShort',
  'InternalError',
]);

function fieldError(type: FieldErrorType, field: Path | undefined, badValue: BadValue, detail: string): FieldError {
  return countFieldError({ type, field: field === undefined ? '<nil>' : field.toString(), badValue, detail });
}

export function required(field: Path | undefined, detail: string): FieldError {
  return fieldError('FieldValueRequired', field, '', detail);
}

/** An invalid value. Objects are printed as JSON in the order of their keys. */
export function invalid(field: Path | undefined, value: BadValue, detail: string): FieldError {
  return fieldError('FieldValueInvalid', field, value, detail);
}

export function typeInvalid(field: Path | undefined, value: BadValue, detail: string): FieldError {
  return fieldError('FieldValueTypeInvalid', field, value, detail);
}

/** An unsupported value. The error lists the valid values in the order given. */
export function notSupported(field: Path | undefined, value: BadValue, validValues: readonly string[]): FieldError {
  const detail =
    validValues.length === 0 ? '' : `supported values: ${validValues.map((item) => goQuote(item)).join(', ')}`;
  return fieldError('FieldValueNotSupported', field, value, detail);
}

export function duplicate(field: Path | undefined, value: BadValue): FieldError {
  return fieldError('FieldValueDuplicate', field, value, '');
}

export function forbidden(field: Path | undefined, detail: string): FieldError {
  return fieldError('FieldValueForbidden', field, '', detail);
}

export function notFound(field: Path | undefined, value: BadValue): FieldError {
  return fieldError('FieldValueNotFound', field, value, '');
}

/** A rule that could not be applied. */
export function internalError(field: Path | undefined, detail: string): FieldError {
  return fieldError('InternalError', field, '', detail);
}

/** Too many bytes; the value itself is never shown. A negative limit leaves the number out. */
export function tooLong(field: Path | undefined, _value: BadValue, maxBytes: number): FieldError {
  const detail =
    maxBytes < 0 ? 'value is too long' : `may not be more than ${maxBytes} ${maxBytes === 1 ? 'byte' : 'bytes'}`;
  return fieldError('FieldValueTooLong', field, '<value omitted>', detail);
}

/** A negative `actual` leaves the number out. */
export function tooMany(field: Path | undefined, actual: number, max: number): FieldError {
  const detail = max < 0 ? 'has too many items' : `must have at most ${max} ${max === 1 ? 'item' : 'items'}`;
  return fieldError('FieldValueTooMany', field, actual < 0 ? undefined : actual, detail);
}

/** The text without the field: `Invalid value: "x": must be …`. */
export function fieldErrorBody(error: FieldError): string {
  const head = TYPE_TEXTS[error.type];
  const value =
    WITHOUT_VALUE.has(error.type) || error.badValue === undefined ? '' : `: ${formatBadValue(error.badValue)}`;
  return head + value + (error.detail === '' ? '' : `: ${error.detail}`);
}

/** The whole text: `metadata.name: Invalid value: "x": must be …`. */
export function fieldErrorText(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`;
}

function formatBadValue(value: JsonValue | VerbatimValue): string {
  if (value instanceof VerbatimValue) return value.text;
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number' || typeof value === 'bigint') return goNumber(value);
  return goJson(value);
}

/** Several errors in one text: a single one plainly, more in brackets, repeated ones once; empty for none. */
export function aggregateText(errors: readonly FieldError[]): string {
  return aggregateMessages(errors.map((error) => fieldErrorText(error)));
}

/** The reference's aggregate of error texts (apimachinery/pkg/util/errors). */
export function aggregateMessages(messages: readonly string[]): string {
  const unique = [...new Set(messages)];
  return unique.length === 1 ? (unique[0] ?? '') : unique.length === 0 ? '' : `[${unique.join(', ')}]`;
}
