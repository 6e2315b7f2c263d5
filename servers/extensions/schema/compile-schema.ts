import type { Facts } from '../../../shared/api/facts.ts';
import type { FieldError, Path } from '../../../shared/apimachinery/field-error.ts';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import type { StructSchema } from '../../../shared/apimachinery/schema.ts';
import { applySchemaDefaults } from './apply-defaults.ts';
import { checkLists } from './check-lists.ts';
import { checkValue } from './check-value.ts';
import type { CompiledSchema, CompileOptions } from './compiled-schema.ts';
import { coerceEmbedded, hasEmbedded, validateEmbedded } from './embedded-resources.ts';
import { pruneObject } from './prune.ts';
import { SchemaNode } from './schema-node.ts';

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
    return [...unknown, ...coerceEmbedded(object, this.#root, objectMetaOf(this.#facts))];
  }

  applyDefaults(object: JsonObject): void {
    applySchemaDefaults(object, this.#root);
  }

  validate(object: JsonObject, at?: Path): FieldError[] {
    const errors = checkValue(object, this.#root, '').violations.map(({ error }) => error());
    errors.push(...checkLists(object, this.#root));
    if (this.#hasEmbedded()) errors.push(...validateEmbedded(object, this.#root));
    if (at === undefined) return errors;
    const below = at.toString();
    return errors.filter(({ field }) => field === below || field.startsWith(`${below}.`) || field.startsWith(`${below}[`));
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
