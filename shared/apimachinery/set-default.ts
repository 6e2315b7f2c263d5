import { getKey, isObject, setKey, type JsonObject, type JsonValue } from './json/json.ts';
import { stringAt } from './object.ts';

/** The object under a declared field; creates it when it is absent. */
export function ensureObject(parent: JsonObject, key: string): JsonObject {
  const value = getKey(parent, key);
  if (isObject(value)) return value;
  const made: JsonObject = {};
  setKey(parent, key, made);
  return made;
}

/** Sets a declared field that is absent. */
export function setDefault(parent: JsonObject, key: string, value: JsonValue): void {
  if (getKey(parent, key) === undefined || getKey(parent, key) === null) setKey(parent, key, value);
}

/** Sets a declared string field that is absent or empty, which is the same in Go. */
export function setDefaultText(parent: JsonObject, key: string, value: string): void {
  if (stringAt(parent, key) === '') setKey(parent, key, value);
}

/** Sets a declared number that is absent or zero. */
export function setDefaultNumber(parent: JsonObject, key: string, value: number): void {
  if (!getKey(parent, key)) setKey(parent, key, value);
}
