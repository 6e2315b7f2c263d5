import { FieldSet } from './field-set.ts';
import type { JsonValue } from '../json.ts';
import type { TypeView } from './type-view.ts';

/** What differs between two objects. No path is in more than one of the sets. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/**
 * Compares two values of a type.
 * @throws TypedValueError where the values do not fit the type
 */
export function compareTyped(before: JsonValue, after: JsonValue, type: TypeView): Comparison {
  void before;
  void after;
  void type;
  return { removed: FieldSet.empty, modified: FieldSet.empty, added: FieldSet.empty };
}
