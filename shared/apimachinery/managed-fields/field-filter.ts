import { FieldSet } from './field-set.ts';

/** Returns the part of a set that the filter keeps. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** Makes a set of fields a filter that removes them and all fields below them; a filter stays as it is. */
export function asFilter(fields: FieldSet | FieldFilter | undefined): FieldFilter | undefined {
  return fields instanceof FieldSet ? (set) => set.recursiveDifference(fields) : fields;
}
