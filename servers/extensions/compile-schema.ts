import type { Facts } from '#shared/api/facts.ts';
import { path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { failureStatus, StatusError } from '#shared/apimachinery/errors/status.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { loadedRules } from './rules/load-rules.ts';
import type { RuleValidator } from './rules/rule-validator.ts';
import { applySchemaDefaults, hasDefault } from './schema/apply-defaults.ts';
import { checkLists, isOfUniqueItems } from './schema/check-lists.ts';
import { errorBelow } from './schema/check-result.ts';
import { checkValue } from './schema/check-value.ts';
import type { CompiledSchema, CompileOptions } from './schema/compiled-schema.ts';
import {
  coerceEmbedded,
  dropMalformedParts,
  isEmbedded,
  MalformedResource,
  validateEmbedded,
} from './schema/embedded-resources.ts';
import { OldValue } from './schema/old-value.ts';
import { pruneObject } from './schema/prune.ts';
import { schemasOfRules } from './schema/rule.ts';
import { SchemaNode } from './schema/schema-node.ts';
import { schemasWith } from './schema/schemas-with.ts';

const statusPath = path('status');

/** Returns a function that compiles the schemas of definitions; the schema of ObjectMeta comes from `facts`. */
export function createSchemaCompiler(facts: Facts): (schema: JsonObject, options: CompileOptions) => CompiledSchema {
  return (schema, options) => new Compiled(facts, schema, options);
}

class Compiled implements CompiledSchema {
  readonly #facts: Facts;
  readonly #options: CompileOptions;
  readonly #root: SchemaNode;
  #embedding: ReadonlySet<JsonObject> | undefined;
  #keeping: ReadonlySet<JsonObject> | undefined;
  #ofUniqueItems: ReadonlySet<JsonObject> | undefined;
  #withDefaults: ReadonlySet<JsonObject> | undefined;
  #withRules: ReadonlySet<JsonObject> | undefined;
  #rules: RuleValidator | undefined;

  constructor(facts: Facts, schema: JsonObject, options: CompileOptions) {
    this.#facts = facts;
    this.#options = options;
    this.#root = new SchemaNode(schema);
  }

  *prune(object: JsonObject): Steps<string[]> {
    const unknown = this.#options.preserveUnknownFields === true ? [] : yield* pruneObject(object, this.#root, true);
    return this.#hasEmbedded() ? [...unknown, ...(yield* this.#coerceEmbedded(object))] : unknown;
  }

  *pruneApplied(object: JsonObject): Steps<void> {
    if (this.#options.preserveUnknownFields !== true && this.#namesPartsOfUnknown())
      yield* pruneObject(object, this.#root, false);
    if (this.#hasEmbedded()) yield* this.#coerceEmbedded(object);
  }

  *#coerceEmbedded(object: JsonObject): Steps<string[]> {
    try {
      return yield* coerceEmbedded(object, this.#root, objectMetaOf(this.#facts));
    } catch (error) {
      // The reference answers such a body with a 500 that has no reason.
      throw error instanceof MalformedResource ? new StatusError(failureStatus(500, '', error.message)) : error;
    }
  }

  dropMalformed(object: JsonObject): Steps<void> {
    return dropMalformedParts(object, this.#root, objectMetaOf(this.#facts));
  }

  *applyDefaults(object: JsonObject): Steps<boolean> {
    const changed = yield* applySchemaDefaults(
      object,
      this.#root,
      (this.#withDefaults ??= schemasWith(this.#root.raw, hasDefault)),
    );
    if (changed && this.#hasEmbedded()) yield* this.#pruneDefaulted(object);
    return changed;
  }

  /**
   * Ignores malformed embedded resources: defaults are well-formed, so the malformed part was already in the applied
   * configuration, and value validation reports it.
   */
  *#pruneDefaulted(object: JsonObject): Steps<void> {
    try {
      yield* coerceEmbedded(object, this.#root, objectMetaOf(this.#facts));
    } catch (error) {
      if (!(error instanceof MalformedResource)) throw error;
    }
  }

  *validateValues(object: JsonObject, old?: JsonObject): Steps<FieldError[]> {
    const { violations } = yield* checkValue(
      object,
      this.#root,
      '',
      old === undefined ? undefined : new OldValue(old, this.#root),
    );
    const errors: FieldError[] = [];
    for (const { error } of violations) {
      errors.push(error());
      if (sliceIsOver()) yield;
    }
    return errors;
  }

  *validateEmbedded(object: JsonObject): Steps<FieldError[]> {
    return this.#hasEmbedded() ? yield* validateEmbedded(object, this.#root, objectMetaOf(this.#facts)) : [];
  }

  validateStatusValues(object: JsonObject, old: JsonObject): FieldError[] {
    const schema = this.#root.properties.get('status');
    const { status } = object;
    const oldStatus = old['status'];
    const errors =
      schema === undefined || status === undefined
        ? []
        : atOnce(checkValue(status, schema, '', oldStatus === undefined ? undefined : new OldValue(oldStatus, schema)))
            .violations;
    return errors.map(({ error }) => errorBelow(error(), statusPath));
  }

  *validateLists(object: JsonObject, old?: JsonObject): Steps<FieldError[]> {
    const errors = yield* checkLists(object, this.#root, this.#leadingToUniqueItems());
    return errors.length > 0 &&
      old !== undefined &&
      (yield* checkLists(old, this.#root, this.#leadingToUniqueItems())).length > 0
      ? []
      : errors;
  }

  get hasRules(): boolean {
    return this.#leadingToRules().size > 0;
  }

  *validateRules(
    object: JsonObject,
    old: JsonObject | undefined,
    warn: (error: FieldError) => void,
  ): Steps<FieldError[]> {
    const { Correlated, maxObjectCost, noRatchet, ruleValidatorOf, RuleRun, withDoubles } = yield* loadedRules();
    this.#rules ??= ruleValidatorOf(this.#root, true, { leading: this.#leadingToRules() });
    if (this.#rules === undefined) return [];
    const run = new RuleRun(maxObjectCost, warn);
    const value = yield* withDoubles(object);
    const ratchet =
      old === undefined ? noRatchet : { here: new Correlated(value, new OldValue(old, this.#root)), above: undefined };
    yield* this.#rules.run({ value, old, ratchet, path: undefined }, run);
    return run.errors;
  }

  #leadingToRules(): ReadonlySet<JsonObject> {
    return (this.#withRules ??= schemasOfRules(this.#root.raw));
  }

  /** Whether the schema declares embedded resources; most schemas do not. */
  #hasEmbedded(): boolean {
    return (this.#embedding ??= schemasWith(this.#root.raw, isEmbedded)).size > 0;
  }

  #namesPartsOfUnknown(): boolean {
    return (this.#keeping ??= schemasWith(this.#root.raw, namesPartsOfUnknown)).size > 0;
  }

  #leadingToUniqueItems(): ReadonlySet<JsonObject> {
    return (this.#ofUniqueItems ??= schemasWith(this.#root.raw, isOfUniqueItems));
  }
}

/** Whether a schema preserves unknown fields but declares some of them. */
function namesPartsOfUnknown(schema: JsonObject): boolean {
  return (
    schema['x-kubernetes-preserve-unknown-fields'] === true &&
    ['properties', 'additionalProperties', 'items'].some((key) => getKey(schema, key) !== undefined)
  );
}

function objectMetaOf(facts: Facts): StructSchema {
  const schema = facts.model('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
  if (schema === undefined) throw new Error('no schema of ObjectMeta');
  return schema;
}
