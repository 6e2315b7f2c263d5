import type { FieldError, Path } from '../../../shared/apimachinery/field-error.ts';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';

/** Rules of structural schemas (apiextensions-apiserver/pkg/apiserver/schema, validation.go). */
export function validateStructural(_schema: JsonObject, _at: Path): FieldError[] {
  return [];
}
