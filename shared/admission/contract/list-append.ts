import { getKey, setKey } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';

/** Adds to the list under a declared field, which is made where it is absent. */
export function appendTo(parent: JsonObject, key: string, ...values: readonly JsonValue[]): void {
  const list = getKey(parent, key);
  setKey(parent, key, Array.isArray(list) ? [...list, ...values] : [...values]);
}
