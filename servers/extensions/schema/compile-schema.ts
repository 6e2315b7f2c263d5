import type { Facts } from '../../../shared/api/facts.ts';
import { path, type FieldError } from '../../../shared/apimachinery/field-error.ts';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { failureStatus, StatusError } from '../../../shared/apimachinery/status.ts';
import { atOnce, type Steps } from '../../../shared/apimachinery/slices.ts';
import type { StructSchema } from '../../../shared/apimachinery/schema.ts';
import { applySchemaDefaults, hasDefault } from './apply-defaults.ts';
import { checkLists, isOfUniqueItems } from './check-lists.ts';
import { errorBelow } from './check-result.ts';
import { checkValue, checkValueInSteps } from './check-value.ts';
import type { CompiledSchema, CompileOptions } from './compiled-schema.ts';
import { coerceEmbedded, isEmbedded, MalformedResource, validateEmbedded } from './embedded-resources.ts';
import { pruneObject } from './prune.ts';
import { SchemaNode } from './schema-node.ts';
import { schemasWith } from './schemas-with.ts';

const statusPath = path('status');

/** Makes the schemas of definitions; the facts know the form of metadata. */
export function createSchemaCompiler(facts: Facts): (schema: JsonObject, options: CompileOptions) => CompiledSchema {
  return (schema, options) => new Compiled(facts, schema, options);
}

class Compiled implements CompiledSchema {
  readonly #facts: Facts;
  readonly #options: CompileOptions;
  readonly #root: SchemaNode;
  #embedding: ReadonlySet<JsonObject> | undefined;
  #ofUniqueItems: ReadonlySet<JsonObject> | undefined;
  #withDefaults: ReadonlySet<JsonObject> | undefined;

  constructor(facts: Facts, schema: JsonObject, options: CompileOptions) {
    this.#facts = facts;
    this.#options = options;
    this.#root = new SchemaNode(schema);
  }

  prune(object: JsonObject): string[] {
    const unknown = this.#options.preserveUnknownFields === true ? [] : pruneObject(object, this.#root);
    if (!this.#hasEmbedded()) return unknown;
    try {
      return [...unknown, ...coerceEmbedded(object, this.#root, objectMetaOf(this.#facts))];
    } catch (error) {
      // The reference answers such a body with an error of no kind.
      throw error instanceof MalformedResource ? new StatusError(failureStatus(500, '', error.message)) : error;
    }
  }

  applyDefaults(object: JsonObject): boolean {
    return applySchemaDefaults(object, this.#root, (this.#withDefaults ??= schemasWith(this.#root.raw, hasDefault)));
  }

  validate(object: JsonObject, old?: JsonObject): FieldError[] {
    return atOnce(this.validateInSteps(object, old));
  }

  *validateInSteps(object: JsonObject, old?: JsonObject): Steps<FieldError[]> {
    const { violations } = yield* checkValueInSteps(object, this.#root, '', old);
    yield;
    const embedded = this.#hasEmbedded() ? validateEmbedded(object, this.#root) : [];
    yield;
    return [...violations.map(({ error }) => error()), ...embedded, ...(yield* this.#checkLists(object, old))];
  }

  validateStatus(object: JsonObject, old: JsonObject): FieldError[] {
    const schema = this.#root.properties.get('status');
    const { status } = object;
    const errors = schema === undefined || status === undefined ? [] : checkValue(status, schema, '', old['status']).violations;
    return [...errors.map(({ error }) => errorBelow(error(), statusPath)), ...atOnce(this.#checkLists(object, old))];
  }

  /** Repeated items may stay where there were some before. */
  *#checkLists(object: JsonObject, old: JsonObject | undefined): Steps<FieldError[]> {
    const errors = yield* checkLists(object, this.#root, this.#leadingToUniqueItems());
    return errors.length > 0 && old !== undefined && (yield* checkLists(old, this.#root, this.#leadingToUniqueItems())).length > 0 ? [] : errors;
  }

  /** Most schemas have none. */
  #hasEmbedded(): boolean {
    return (this.#embedding ??= schemasWith(this.#root.raw, isEmbedded)).size > 0;
  }

  #leadingToUniqueItems(): ReadonlySet<JsonObject> {
    return (this.#ofUniqueItems ??= schemasWith(this.#root.raw, isOfUniqueItems));
  }
}

function objectMetaOf(facts: Facts): StructSchema {
  const schema = facts.model('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
  if (schema === undefined) throw new Error('no schema of ObjectMeta');
  return schema;
}
