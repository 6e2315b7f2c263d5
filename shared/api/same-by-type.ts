import { holdsEmpty, semanticEqualAs, semanticEqualMembers } from '../apimachinery/deep-equal.ts';
import { getKey } from '../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { Schema } from '../apimachinery/schema.ts';
import { loadFacts } from './load-facts.ts';

/** The schema of a model, which has to be there. */
export function schemaOfModel(model: string): Schema {
  const schema = loadFacts().model(model);
  if (schema === undefined) throw new TypeError(`no model ${JSON.stringify(model)} among the facts`);
  return schema;
}

/** Whether two values of a model are one to Go: an empty struct behind a pointer is not the same as none. */
export function sameAs(model: string, value: JsonValue | undefined, old: JsonValue | undefined): boolean {
  // A model is met behind a pointer where it may be absent.
  if ((value ?? null) === null || (old ?? null) === null) return (value ?? null) === (old ?? null);
  return semanticEqualAs(schemaOfModel(model), value, old);
}

/** The same of some members of two objects of a model; an absent object has none. */
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
 * The same where Go tells a list or map without items from none (`reflect.DeepEqual`); what is stored has none of
 * those.
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
 * Whether nothing differs between two objects of a model but what the garbage collector writes: finalizers, owner
 * references (pkg/registry/rbac IsOnlyMutatingGCFields).
 */
export function sameButForGarbageCollection(model: string, object: KubeObject, old: KubeObject): boolean {
  const reduced = (from: KubeObject): KubeObject => {
    const { finalizers: _finalizers, ownerReferences: _owners, managedFields: _managed, ...metadata } = from.metadata;
    return { ...from, metadata };
  };
  return sameAs(model, reduced(object), reduced(old));
}
