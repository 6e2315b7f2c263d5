import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { holdsEmpty, semanticEqualAs, semanticEqualMembers } from '#shared/apimachinery/schema/deep-equal.ts';
import type { Schema } from '#shared/apimachinery/schema/schema.ts';
import { loadFacts } from './load-facts.ts';

/** The schema of a model; throws if there is none. */
export function schemaOfModel(model: string): Schema {
  const schema = loadFacts().model(model);
  if (schema === undefined) throw new TypeError(`no model ${JSON.stringify(model)} among the facts`);
  return schema;
}

/**
 * Whether two values of a model are semantically equal in Go: a pointer to an empty struct does not equal a nil
 * pointer.
 */
export function sameAs(model: string, value: JsonValue | undefined, old: JsonValue | undefined): boolean {
  // A model that may be absent is a pointer in Go.
  if ((value ?? null) === null || (old ?? null) === null) return (value ?? null) === (old ?? null);
  return semanticEqualAs(schemaOfModel(model), value, old);
}

/** Whether some members of two objects of a model are semantically equal; an absent object has no members. */
export function sameMembers(
  model: string,
  names: readonly string[],
  object: JsonObject | undefined,
  old: JsonObject | undefined,
): boolean {
  const schema = schemaOfModel(model);
  if (schema.kind !== 'struct') throw new TypeError(`${model} has no members`);
  return names.every((name) => semanticEqualMembers(schema, name, object ?? {}, old ?? {}));
}

/**
 * As {@link sameMembers}, but a list or map without items differs from an absent one (`reflect.DeepEqual`). Stored
 * objects have no empty lists or maps.
 */
export function exactlySameMembers(
  model: string,
  names: readonly string[],
  object: JsonObject,
  old: JsonObject | undefined,
): boolean {
  const schema = schemaOfModel(model);
  if (schema.kind !== 'struct') throw new TypeError(`${model} has no members`);
  return (
    sameMembers(model, names, object, old) &&
    !names.some((name) => {
      const field = schema.byName.get(name);
      return field !== undefined && holdsEmpty(field.schema, getKey(object, name));
    })
  );
}

/**
 * Whether two objects of a model differ at most in what the garbage collector writes: finalizers and owner references
 * (pkg/registry/rbac IsOnlyMutatingGCFields).
 */
export function sameButForGarbageCollection(model: string, object: KubeObject, old: KubeObject): boolean {
  const reduced = (from: KubeObject): KubeObject => {
    const { finalizers: _finalizers, ownerReferences: _owners, managedFields: _managed, ...metadata } = from.metadata;
    return { ...from, metadata };
  };
  return sameAs(model, reduced(object), reduced(old));
}
