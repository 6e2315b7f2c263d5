import type { Facts } from '../../../shared/api/facts.ts';
import { path, type FieldError } from '../../../shared/apimachinery/field-error.ts';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { failureStatus, StatusError } from '../../../shared/apimachinery/status.ts';
import type { StructSchema } from '../../../shared/apimachinery/schema.ts';
import { applySchemaDefaults } from './apply-defaults.ts';
import { checkLists } from './check-lists.ts';
import { errorBelow } from './check-result.ts';
import { checkValue } from './check-value.ts';
import type { CompiledSchema, CompileOptions } from './compiled-schema.ts';
import { coerceEmbedded, hasEmbedded, MalformedResource, validateEmbedded } from './embedded-resources.ts';
import { pruneObject } from './prune.ts';
import { SchemaNode } from './schema-node.ts';

const statusPath = path('status');

/** Makes the schemas of definitions; the facts know the form of metadata. */
export function createSchemaCompiler(facts: Facts): (schema: JsonObject, options: CompileOptions) => CompiledSchema {
  return (schema, options) => new Compiled(facts, schema, options);
}

class Compiled implements CompiledSchema {
  readonly #facts: Facts;
  readonly #options: CompileOptions;
  readonly #root: SchemaNode;
  #embeds: boolean | undefined;

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
    return applySchemaDefaults(object, this.#root);
  }

  validate(object: JsonObject, old?: JsonObject): FieldError[] {
    const errors = checkValue(object, this.#root, '', old).violations.map(({ error }) => error());
    if (this.#hasEmbedded()) errors.push(...validateEmbedded(object, this.#root));
    return [...errors, ...this.#checkLists(object, old)];
  }

  validateStatus(object: JsonObject, old: JsonObject): FieldError[] {
    const schema = this.#root.properties.get('status');
    const { status } = object;
    const errors = schema === undefined || status === undefined ? [] : checkValue(status, schema, '', old['status']).violations;
    return [...errors.map(({ error }) => errorBelow(error(), statusPath)), ...this.#checkLists(object, old)];
  }

  /** Repeated items may stay where there were some before. */
  #checkLists(object: JsonObject, old: JsonObject | undefined): FieldError[] {
    const errors = checkLists(object, this.#root);
    return errors.length > 0 && old !== undefined && checkLists(old, this.#root).length > 0 ? [] : errors;
  }

  #hasEmbedded(): boolean {
    return (this.#embeds ??= hasEmbedded(this.#root));
  }
}

function objectMetaOf(facts: Facts): StructSchema {
  const schema = facts.model('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
  if (schema === undefined) throw new Error('no schema of ObjectMeta');
  return schema;
}
