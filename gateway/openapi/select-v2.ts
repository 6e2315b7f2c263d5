import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { getKey, isObject, setKey } from '#shared/apimachinery/json/json.ts';
import { deepEqualInSteps } from '#shared/apimachinery/schema/deep-equal.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';

/** A registered server's part of the merged OpenAPI v2 document. */
export interface SelectedV2 {
  /** The `info` of the server's own document. */
  readonly info: JsonValue;
  readonly paths: JsonObject;
  readonly definitions: JsonObject;
}

const referencePrefix = '#/definitions/';
const parameterPrefix = '#/parameters/';

/**
 * Selects the paths of one group version, and the definitions that they refer to, from a server's whole document.
 * Throws if it is not an OpenAPI v2 document.
 */
export function selectV2(document: JsonValue, root: string): SelectedV2 {
  if (!isObject(document) || document['swagger'] !== '2.0' || !isObject(document['paths']))
    throw new Error('it is no OpenAPI v2 document');
  const all = isObject(document['definitions']) ? document['definitions'] : newObject();
  const parameters = isObject(document['parameters']) ? document['parameters'] : newObject();
  const paths = newObject();
  for (const [path, item] of Object.entries(document['paths']))
    if (`${path}/`.startsWith(`${root}/`) && isObject(item)) setKey(paths, path, withParameters(item, parameters));
  const definitions = newObject();
  const waiting = [...referencesIn(paths)];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const definition = getKey(all, name);
    if (definition === undefined || getKey(definitions, name) !== undefined) continue;
    setKey(definitions, name, definition);
    for (const other of referencesIn(definition)) waiting.push(other);
  }
  return { info: document['info'] ?? {}, paths, definitions };
}

/**
 * Renames definitions that conflict with a known one of the same name to `<name>_v2` and so on, as the reference does.
 * `known` returns the known definition of a name.
 */
export function* renameConflicts(
  { info, paths, definitions }: SelectedV2,
  known: (name: string) => Steps<JsonValue | undefined>,
): Steps<SelectedV2> {
  const renamed = new Map<string, string>();
  for (const [name, definition] of Object.entries(definitions)) {
    let shape: JsonValue | undefined;
    const taken = function* (candidate: string): Steps<boolean> {
      const other = yield* known(candidate);
      if (other === undefined) return false;
      shape ??= yield* shapeOf(definition);
      return !(yield* deepEqualInSteps(yield* shapeOf(other), shape));
    };
    if (!(yield* taken(name))) continue;
    let suffix = 2;
    while ((yield* taken(`${name}_v${suffix}`)) || getKey(definitions, `${name}_v${suffix}`) !== undefined) suffix++;
    renamed.set(name, `${name}_v${suffix}`);
  }
  if (renamed.size === 0) return { info, paths, definitions };
  const result = newObject();
  for (const [name, definition] of Object.entries(definitions))
    setKey(result, renamed.get(name) ?? name, yield* withReferences(definition, renamed));
  return { info, paths: (yield* withReferences(paths, renamed)) as JsonObject, definitions: result };
}

/** Compares definitions without descriptions, which differ between releases of the same type. */
export function* isSameDefinition(one: JsonValue | undefined, other: JsonValue | undefined): Steps<boolean> {
  return yield* deepEqualInSteps(yield* shapeOf(one ?? null), yield* shapeOf(other ?? null));
}

function* referencesIn(value: JsonValue): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* referencesIn(item);
  else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (key === '$ref' && typeof inner === 'string' && inner.startsWith(referencePrefix))
        yield inner.slice(referencePrefix.length);
      else yield* referencesIn(inner);
    }
  }
}

/**
 * Replaces references to shared parameters by the parameters, so that their names cannot collide with other servers'.
 */
function withParameters(value: JsonValue, parameters: JsonObject): JsonValue {
  if (Array.isArray(value)) return value.map((item) => withParameters(item, parameters));
  if (!isObject(value)) return value;
  const reference = value['$ref'];
  if (typeof reference === 'string' && reference.startsWith(parameterPrefix))
    return getKey(parameters, reference.slice(parameterPrefix.length)) ?? value;
  const copy = newObject();
  for (const [key, inner] of Object.entries(value)) setKey(copy, key, withParameters(inner, parameters));
  return copy;
}

function* withReferences(value: JsonValue, renamed: ReadonlyMap<string, string>): Steps<JsonValue> {
  if (sliceIsOver()) yield;
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const item of value) items.push(yield* withReferences(item, renamed));
    return items;
  }
  if (!isObject(value)) return value;
  const copy = newObject();
  for (const [key, inner] of Object.entries(value)) {
    const name =
      key === '$ref' && typeof inner === 'string' && inner.startsWith(referencePrefix)
        ? renamed.get(inner.slice(referencePrefix.length))
        : undefined;
    setKey(copy, key, name === undefined ? yield* withReferences(inner, renamed) : `${referencePrefix}${name}`);
  }
  return copy;
}

/** The schema without descriptions, defaults and `x-kubernetes-group-version-kind`. */
function* shapeOf(value: JsonValue): Steps<JsonValue> {
  if (sliceIsOver()) yield;
  if (Array.isArray(value)) {
    const shapes: JsonValue[] = [];
    for (const item of value) shapes.push(yield* shapeOf(item));
    return shapes;
  }
  if (!isObject(value)) return value;
  const shape = newObject();
  for (const [key, inner] of Object.entries(value)) {
    if (
      key === 'default' ||
      key === 'x-kubernetes-group-version-kind' ||
      (key === 'description' && typeof inner === 'string')
    )
      continue;
    setKey(shape, key, yield* shapeOf(inner));
  }
  return shape;
}

function newObject(): JsonObject {
  return Object.create(null) as JsonObject;
}
