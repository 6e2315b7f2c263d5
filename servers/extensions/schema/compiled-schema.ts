import type { FieldError } from '../../../shared/apimachinery/field-error.ts';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import type { Steps } from '../../../shared/apimachinery/slices.ts';

export interface CompileOptions {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** `spec.preserveUnknownFields: true` of a CRD that was made by the older API: nothing is pruned. */
  readonly preserveUnknownFields?: boolean;
}

/**
 * The schema of one version of a CRD, ready for objects. Each part is compiled when first used. Objects are changed in
 * place and belong to the caller.
 */
export interface CompiledSchema {
  /**
   * Takes away what the schema does not name, and nulls that it allows nowhere; brings the metadata of embedded resources
   * into its form. Returns the paths of unknown fields, sorted: `spec.foo`, `spec.list[0].bar`. The metadata of the object
   * itself is not looked at. Call it on request bodies and on stored objects, before {@link applyDefaults}.
   * Throws a StatusError where the metadata of an embedded resource has wrong types.
   */
  prune(object: JsonObject): string[];
  /** Sets defaults; also over nulls that are not allowed. Whether there was any to set. */
  applyDefaults(object: JsonObject): boolean;
  /**
   * All rules for values: types, bounds, patterns, junctors, embedded resources, list sets and maps. apiVersion, kind and
   * metadata of the object itself are the caller's. With `old`, parts that did not change are not refused.
   */
  validate(object: JsonObject, old?: JsonObject): FieldError[];
  validateInSteps(object: JsonObject, old?: JsonObject): Steps<FieldError[]>;
  /** The same for the status alone. */
  validateStatus(object: JsonObject, old: JsonObject): FieldError[];
}
