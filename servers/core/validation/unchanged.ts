import { loadFacts } from '../../../shared/api/load-facts.ts';
import { semanticEqualAs } from '../../../shared/apimachinery/deep-equal.ts';
import { invalid, type FieldError, type Path } from '../../../shared/apimachinery/field-error.ts';
import { isObject, type JsonValue } from '../../../shared/apimachinery/json.ts';
import type { Schema } from '../../../shared/apimachinery/schema.ts';
import { goForm } from './go-form.ts';

/** The schema of a model, which has to be there. */
export function schemaOfModel(model: string): Schema {
  const schema = loadFacts().model(model);
  if (schema === undefined) throw new TypeError(`no model ${JSON.stringify(model)} among the facts`);
  return schema;
}

/** Whether two values of a model are one to Go: an empty struct behind a pointer is not the same as none. */
export function sameAs(model: string, value: JsonValue | undefined, old: JsonValue | undefined): boolean {
  // A model is met behind a pointer where it may be absent.
  if ((value ?? null) === null || (old ?? null) === null) return (value ?? null) === (old ?? null);
  return semanticEqualAs(schemaOfModel(model), value, old);
}

/** A value of a model that stays as it was made; shown in its internal form (pkg/apis/core/validation, ValidateImmutableField). */
export function validateUnchanged(model: string, value: JsonValue | undefined, old: JsonValue | undefined, field: Path): FieldError[] {
  return sameAs(model, value, old) ? [] : [invalid(field, isObject(value) ? goForm(model, value) : null, 'field is immutable')];
}
