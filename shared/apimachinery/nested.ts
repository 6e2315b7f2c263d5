import { isObject, type JsonObject, type JsonValue } from './json.ts';

/** The object under a declared field; undefined when it is absent or something else. */
export function objectAt(parent: JsonObject | undefined, ...path: string[]): JsonObject | undefined {
  let value: JsonValue | undefined = parent;
  for (const key of path) {
    if (!isObject(value)) return undefined;
    value = value[key];
  }
  return isObject(value) ? value : undefined;
}

/** The objects of a list field; empty when it is absent. */
export function objectsAt(parent: JsonObject | undefined, key: string): JsonObject[] {
  const value = parent?.[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The string under a declared field; empty when it is absent. */
export function stringAt(parent: JsonObject | undefined, key: string): string {
  const value = parent?.[key];
  return typeof value === 'string' ? value : '';
}

/** The strings of a list field; empty when it is absent. */
export function stringsAt(parent: JsonObject | undefined, key: string): string[] {
  const value = parent?.[key];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The number under a declared field; undefined when it is absent. */
export function numberAt(parent: JsonObject | undefined, key: string): number | undefined {
  const value = parent?.[key];
  return typeof value === 'number' ? value : undefined;
}

/** The object under a declared field, made when it is absent. */
export function ensureObject(parent: JsonObject, key: string): JsonObject {
  const value = parent[key];
  if (isObject(value)) return value;
  const made: JsonObject = {};
  parent[key] = made;
  return made;
}

/** Sets a declared field that is absent. */
export function setDefault(parent: JsonObject, key: string, value: JsonValue): void {
  if (parent[key] === undefined || parent[key] === null) parent[key] = value;
}

/** Sets a declared field that is absent or, as Go's zero value says the same, empty. */
export function setDefaultText(parent: JsonObject, key: string, value: string): void {
  if (stringAt(parent, key) === '') parent[key] = value;
}

/** Sets a declared number that is absent or zero. */
export function setDefaultNumber(parent: JsonObject, key: string, value: number): void {
  if (!parent[key]) parent[key] = value;
}
