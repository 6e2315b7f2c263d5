import { sameAs } from '#shared/api/same-by-type.ts';
import { invalid, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { goForm } from './go-form.ts';

/**
 * Validates an immutable value of a model; the error shows its internal form (pkg/apis/core/validation,
 * ValidateImmutableField).
 */
export function validateUnchanged(
  model: string,
  value: JsonValue | undefined,
  old: JsonValue | undefined,
  field: Path,
): FieldError[] {
  return sameAs(model, value, old)
    ? []
    : [invalid(field, isObject(value) ? goForm(model, value) : null, 'field is immutable')];
}
