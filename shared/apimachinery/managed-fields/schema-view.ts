import type { StructSchema } from '../schema.ts';
import { deducedView, type TypeView } from './type-view.ts';

/** The view of a built-in type. */
export function viewOfSchema(schema: StructSchema): TypeView {
  void schema;
  return deducedView;
}
