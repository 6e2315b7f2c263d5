import type { JsonObject } from '../json.ts';
import { deducedView, type TypeView } from './type-view.ts';

export interface StructuralViewOptions {
  /** The view of ObjectMeta. */
  readonly objectMeta: TypeView;
  /** `spec.preserveUnknownFields` of the CRD. */
  readonly preserveUnknownFields: boolean;
}

/** The view of a custom resource, of its `openAPIV3Schema` (undefined: it has none). */
export function viewOfStructural(schema: JsonObject | undefined, options: StructuralViewOptions): TypeView {
  void schema;
  void options;
  return deducedView;
}
