import type { Facts } from '#shared/api/facts.ts';
import type { GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { ObjectMeta } from '#shared/apimachinery/object.ts';
import type { CustomShape, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { TypeView } from '#shared/apimachinery/schema/type-view.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { conform } from '#shared/serializer/json/conform.ts';
import { sortedKeysInSteps } from '#shared/serializer/json/go-text.ts';
import type { CompiledSchema } from './schema/compiled-schema.ts';
import { wellFormedFields } from './schema/well-formed.ts';

/** The schema of a custom resource in the form that the generic registry needs; its shape comes from the definition. */
export class CustomResourceSchema implements StructSchema {
  readonly kind = 'struct';
  readonly name = '';
  readonly goName: string;
  readonly fields = [];
  readonly flat = [];
  readonly byName = new Map<string, never>();
  readonly gvk: GroupVersionKind;
  readonly custom: CustomShape;

  /** `schema` and `view` are called when first needed; `schema` also accepts versions that do not exist. */
  constructor(facts: Facts, gvk: GroupVersionKind, schema: (version: string) => CompiledSchema, view: () => TypeView) {
    this.gvk = gvk;
    this.goName = gvk.kind;
    this.custom = new Shape(objectMetaOf(facts), gvk, schema, view);
  }
}

class Shape implements CustomShape {
  readonly #metadata: StructSchema;
  readonly #gvk: GroupVersionKind;
  readonly #schema: (version: string) => CompiledSchema;
  readonly #makeView: () => TypeView;
  #view: TypeView | undefined;

  constructor(
    metadata: StructSchema,
    gvk: GroupVersionKind,
    schema: (version: string) => CompiledSchema,
    view: () => TypeView,
  ) {
    this.#metadata = metadata;
    this.#gvk = gvk;
    this.#schema = schema;
    this.#makeView = view;
  }

  get view(): TypeView {
    return (this.#view ??= this.#makeView());
  }

  *conform(object: JsonObject): Steps<string[]> {
    const errors = yield* this.conformMetadata(object);
    // An object of another kind has no known schema; validation refuses it. An object of another version is pruned by
    // the schema of that version before validation refuses it.
    const version = this.#versionOf(object);
    if (version === undefined) return errors;
    for (const path of yield* this.#schema(version).prune(object)) errors.push(`unknown field "${path}"`);
    return errors;
  }

  *conformStored(object: JsonObject): Steps<void> {
    try {
      yield* this.conform(object);
    } catch {
      // This is rare: requests with wrong types are refused, but data may be written to etcd directly.
      if (isObject(object['metadata'])) object['metadata'] = wellFormedFields(this.#metadata, object['metadata']);
      const version = this.#versionOf(object);
      if (version !== undefined) yield* this.#schema(version).dropMalformed(object);
      yield* this.conform(object);
    }
  }

  applyDefaults(object: JsonObject): Steps<boolean> {
    return this.#schema(this.#gvk.version).applyDefaults(object);
  }

  /** The version that the apiVersion names; undefined for an object of another kind or group. */
  #versionOf({ apiVersion, kind }: JsonObject): string | undefined {
    const prefix = `${this.#gvk.group}/`;
    return kind === this.#gvk.kind && typeof apiVersion === 'string' && apiVersion.startsWith(prefix)
      ? apiVersion.slice(prefix.length)
      : undefined;
  }

  *conformMetadata(object: JsonObject): Steps<string[]> {
    const { metadata } = object;
    if (metadata === undefined) return [];
    const { object: conformed, strictErrors } = yield* conform(this.#metadata, yield* inNameOrder(metadata), {
      strict: true,
    });
    object['metadata'] = conformed;
    leaveOutZeros(conformed);
    return strictErrors.map((text) => text.replace('field "', 'field "metadata.'));
  }
}

/**
 * Sorts the fields of metadata: the reference decodes it from the JSON text of a Go map, so it reports the first of
 * several errors by name. Two levels suffice, as no field is deeper than a map of strings; deeper unknown fields are
 * not sorted.
 */
function* inNameOrder(metadata: JsonValue): Steps<JsonValue> {
  if (!isObject(metadata)) return metadata;
  const ordered = yield* sortedCopy(metadata);
  for (const [key, value] of Object.entries(ordered))
    if (isObject(value)) setKey(ordered, key, yield* sortedCopy(value));
  return ordered;
}

function* sortedCopy(object: JsonObject): Steps<JsonObject> {
  const ordered: JsonObject = {};
  for (const key of yield* sortedKeysInSteps(object)) {
    setKey(ordered, key, getKey(object, key) as JsonValue);
    if (sliceIsOver()) yield;
  }
  return ordered;
}

/**
 * Removes empty fields, as Go does when it prints ObjectMeta. A grace period of zero stays, because the Go field is a
 * pointer.
 */
export function leaveOutZeros(metadata: ObjectMeta): void {
  for (const key of Object.keys(metadata)) {
    const value = metadata[key];
    if (
      value === undefined ||
      value === null ||
      value === '' ||
      isEmpty(value) ||
      (value === 0 && key === 'generation')
    )
      delete metadata[key];
  }
}

function isEmpty(value: JsonObject[string]): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (!isObject(value)) return false;
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}

export function objectMetaOf(facts: Facts): StructSchema {
  const schema = facts.model('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
  if (schema === undefined) throw new Error('no schema of ObjectMeta');
  return schema;
}
