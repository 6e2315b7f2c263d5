import { FieldSet } from './field-set.ts';

/** What is left of a set. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** The filter that a set of fields (cut away with all below them) or a filter stands for; undefined changes nothing. */
export function asFilter(fields: FieldSet | FieldFilter | undefined): FieldFilter | undefined {
  return fields instanceof FieldSet ? (set) => set.recursiveDifference(fields) : fields;
}
