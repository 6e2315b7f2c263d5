import type { FieldError } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';

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
   * Removes unknown fields, and nulls that the schema does not allow; normalizes the metadata of embedded resources.
   * Returns the paths of unknown fields, sorted: `spec.foo`, `spec.list[0].bar`. The metadata of the object itself is
   * not checked. Call it on request bodies and on stored objects, before {@link applyDefaults}. Throws a StatusError
   * if the metadata of an embedded resource has wrong types.
   */
  prune(object: JsonObject): Steps<string[]>;
  /** Removes apiVersion, kind, metadata and fields of metadata that have a wrong type in embedded resources. */
  dropMalformed(object: JsonObject): Steps<void>;
  /**
   * Like {@link prune}, for the result of an apply, which can have unknown fields only below schemas that preserve
   * unknown fields. Nulls stay.
   */
  pruneApplied(object: JsonObject): Steps<void>;
  /**
   * Sets defaults, also in place of nulls that are not allowed, and removes unknown metadata of embedded resources.
   * Returns whether a default was set.
   */
  applyDefaults(object: JsonObject): Steps<boolean>;
  /**
   * Validates by the OpenAPI schema: types, bounds, patterns, `allOf` and the like. apiVersion, kind and metadata of
   * the object itself are left to the caller. With `old`, unchanged parts cause no errors.
   */
  validateValues(object: JsonObject, old?: JsonObject): Steps<FieldError[]>;
  /** Validates the metadata of embedded resources. */
  validateEmbedded(object: JsonObject): Steps<FieldError[]>;
  /** Rejects duplicate items in sets and maps. If `old` has any duplicates, none are reported. */
  validateLists(object: JsonObject, old?: JsonObject): Steps<FieldError[]>;
  /** Whether there are validation rules. */
  readonly hasRules: boolean;
  /**
   * Evaluates the validation rules of the whole object including the status, in slices, once everything else is valid.
   * With `old`, violations in unchanged parts go to `warn` instead (ratcheting).
   */
  validateRules(
    object: JsonObject,
    old: JsonObject | undefined,
    warn: (error: FieldError) => void,
  ): Steps<FieldError[]>;
  /** {@link validateValues} for the status alone. */
  validateStatusValues(object: JsonObject, old: JsonObject): FieldError[];
}
