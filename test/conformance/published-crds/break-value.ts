import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';

/** One way to break a schema's rule in a value that keeps them all. */
export interface Break {
  /** `spec.size: type`. */
  readonly name: string;
  readonly rule:
    | 'type'
    | 'null'
    | 'enum'
    | 'bound'
    | 'length'
    | 'pattern'
    | 'format'
    | 'required'
    | 'items'
    | 'repeated'
    | 'unknown';
  /** Keys and indices that lead to the value. */
  readonly path: readonly (string | number)[];
  /** What stands there instead; undefined: nothing. */
  readonly value: JsonValue | undefined;
}

/** Every rule that speaks of a part of the value, broken once. */
export function breaksOf(schema: JsonObject, value: JsonValue, path: readonly (string | number)[] = []): Break[] {
  const made: Break[] = [];
  const add = (rule: Break['rule'], broken: JsonValue | undefined, ...more: (string | number)[]): void => {
    const at = [...path, ...more];
    made.push({ name: `${at.join('.')}: ${rule}`, rule, path: at, value: broken });
  };
  if (path.length > 0) {
    add('type', wrongType(schema));
    if (schema['nullable'] !== true) add('null', null);
  }
  if (Array.isArray(schema['enum'])) add('enum', 'no such value');
  if (typeof schema['minimum'] === 'number') add('bound', schema['minimum'] - 1);
  if (typeof schema['maximum'] === 'number') add('bound', schema['maximum'] + 1);
  if (typeof schema['minLength'] === 'number' && schema['minLength'] > 0) add('length', '');
  if (typeof schema['maxLength'] === 'number') add('length', 'x'.repeat(schema['maxLength'] + 1));
  if (typeof schema['pattern'] === 'string') add('pattern', '\u0001 ä');
  if (typeof schema['format'] === 'string' && schema['type'] === 'string') add('format', 'of another form');
  if (schema['format'] === 'int32') add('format', 3_000_000_000);
  if (isObject(value)) {
    for (const key of Array.isArray(schema['required']) ? schema['required'] : [])
      add('required', undefined, String(key));
    add('unknown', 'unknown', 'noSuchField');
  }
  if (Array.isArray(value)) breakList(schema, value, add);
  return [...made, ...below(schema, value, path)];
}

function wrongType(schema: JsonObject): JsonValue {
  if (schema['x-kubernetes-int-or-string'] === true) return true;
  return schema['type'] === 'string' ? 5 : schema['type'] === 'array' ? { not: 'a list' } : 'of another type';
}

function breakList(
  schema: JsonObject,
  value: JsonValue[],
  add: (rule: Break['rule'], broken: JsonValue) => void,
): void {
  const [first] = value;
  if (first === undefined) return;
  if (typeof schema['minItems'] === 'number' && schema['minItems'] > 0) add('items', []);
  if (typeof schema['maxItems'] === 'number' && schema['maxItems'] < 1000)
    add(
      'items',
      Array.from({ length: schema['maxItems'] + 1 }, () => first),
    );
  if (schema['x-kubernetes-list-type'] === 'set' || schema['x-kubernetes-list-type'] === 'map')
    add('repeated', [first, first]);
}

function below(schema: JsonObject, value: JsonValue, path: readonly (string | number)[]): Break[] {
  if (Array.isArray(value))
    return isObject(schema['items']) && value[0] !== undefined ? breaksOf(schema['items'], value[0], [...path, 0]) : [];
  if (!isObject(value)) return [];
  const { properties, additionalProperties } = schema;
  return Object.entries(value).flatMap(([key, child]) => {
    const declared = isObject(properties) ? getKey(properties, key) : undefined;
    const of = isObject(declared) ? declared : additionalProperties;
    return isObject(of) ? breaksOf(of, child, [...path, key]) : [];
  });
}

/** A copy of the object with the values of the breaks. */
export function withBreaks(object: JsonObject, breaks: readonly Break[]): JsonObject {
  const copy = JSON.parse(JSON.stringify(object)) as JsonObject;
  for (const { path, value } of breaks) put(copy, path, value);
  return copy;
}

function put(root: JsonObject, path: readonly (string | number)[], value: JsonValue | undefined): void {
  let at: JsonValue = root;
  for (const step of path.slice(0, -1)) {
    const next: JsonValue | undefined = Array.isArray(at)
      ? at[Number(step)]
      : isObject(at)
        ? getKey(at, String(step))
        : undefined;
    if (next === undefined) return;
    at = next;
  }
  const last = path.at(-1);
  if (Array.isArray(at) && value !== undefined) at[Number(last)] = value;
  else if (isObject(at) && value === undefined) delete at[String(last)];
  else if (isObject(at) && value !== undefined) setKey(at, String(last), value);
}
