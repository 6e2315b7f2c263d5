import { getKey, setKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';

/** Appends to the list in a field; creates the list if it is absent. */
export function appendTo(parent: JsonObject, key: string, ...values: readonly JsonValue[]): void {
  const list = getKey(parent, key);
  setKey(parent, key, Array.isArray(list) ? [...list, ...values] : [...values]);
}
