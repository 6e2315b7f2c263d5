/** A JSON value as the codecs hold it. Only integers outside ±(2^53−1) are a `bigint`. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;

/** An object with keys chosen by a client: read with {@link getKey}, write with {@link setKey}. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/**
 * Reads an own key; `constructor`, `__proto__` and the like never reach the prototype. Undefined also where there is no
 * object.
 */
export function getKey<Value>(object: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Writes an own key, `__proto__` included. */
export function setKey<Value>(object: Record<string, Value>, key: string, value: NoInfer<Value>): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

/** The list under an own key; creates an empty list where there is none. */
export function listUnder<Item>(object: Record<string, Item[]>, key: string): Item[] {
  let list = getKey(object, key);
  if (list === undefined) setKey(object, key, (list = []));
  return list;
}

/** True for a JSON object (neither null nor an array). */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
