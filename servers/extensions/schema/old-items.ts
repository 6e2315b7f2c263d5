import { getKey, isObject, type JsonObject, type JsonValue } from '../../../shared/apimachinery/json.ts';
import { looseText } from '../../../shared/serializer/json/loose.ts';
import type { SchemaNode } from './schema-node.ts';

/** The items of before by their keys; only lists that are maps say which one an item was. */
export class OldItems {
  readonly #keys: readonly string[];
  readonly #list: readonly JsonValue[];
  #byKey: ReadonlyMap<string, JsonValue> | undefined;

  constructor({ listType, listMapKeys }: SchemaNode, old: JsonValue | undefined) {
    this.#keys = listMapKeys;
    this.#list = listType === 'map' && Array.isArray(old) ? old : [];
  }

  /** The first one with the keys of this item. */
  find(item: JsonValue): JsonValue | undefined {
    if (this.#list.length === 0 || !isObject(item)) return undefined;
    this.#byKey ??= new Map(this.#list.toReversed().flatMap((before) => (isObject(before) ? [[this.#keyOf(before), before] as const] : [])));
    return this.#byKey.get(this.#keyOf(item));
  }

  #keyOf(item: JsonObject): string {
    return this.#keys.map((name) => {
      const value = getKey(item, name);
      return value === undefined ? '' : looseText(value);
    }).join(',');
  }
}
