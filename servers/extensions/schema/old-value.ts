import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { PresentKeys } from '#shared/apimachinery/json/present-keys.ts';
import { deepEqual } from '#shared/apimachinery/schema/deep-equal.ts';
import { looseText } from '#shared/serializer/json/loose.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * The old value that corresponds to a value, with the schema that declares it (k8s.io/apiserver/pkg/cel/common,
 * CorrelatedObject).
 */
export class OldValue {
  readonly #value: JsonValue;
  readonly #schema: SchemaNode;
  #keys: PresentKeys | undefined;
  #byKey: ReadonlyMap<string, JsonValue> | undefined;

  constructor(value: JsonValue, schema: SchemaNode) {
    this.#value = value;
    this.#schema = schema;
  }

  /** The old value of a field; undefined for fields that the schema does not declare. */
  field(key: string): OldValue | undefined {
    const schema = this.#schema.property(key);
    const value = isObject(this.#value) ? getKey(this.#value, key) : undefined;
    return schema === undefined || value === undefined ? undefined : new OldValue(value, schema);
  }

  /** The old value of an item: the first old item with the same keys; undefined for lists that are not of type map. */
  item(item: JsonValue): OldValue | undefined {
    const { items } = this.#schema;
    const value = this.#isMapOfItems() && isObject(item) ? this.#itemsByKey().get(this.#keyOf(item)) : undefined;
    return items === undefined || value === undefined ? undefined : new OldValue(value, items);
  }

  /** Whether the value is unchanged. The order of items is ignored in lists of type map. */
  equals(value: JsonValue): boolean {
    if (isObject(value)) {
      if (!isObject(this.#value)) return false;
      const keys = Object.keys(value);
      return (
        keys.length === Object.keys(this.#value).length &&
        keys.every((key) => this.field(key)?.equals(getKey(value, key) as JsonValue) === true)
      );
    }
    if (!Array.isArray(value) || !Array.isArray(this.#value) || !this.#isMapOfItems())
      return deepEqual(value, this.#value);
    return value.length === this.#value.length && value.every((item) => this.item(item)?.equals(item) === true);
  }

  #isMapOfItems(): boolean {
    return this.#schema.listType === 'map';
  }

  #itemsByKey(): ReadonlyMap<string, JsonValue> {
    const list = Array.isArray(this.#value) ? this.#value : [];
    return (this.#byKey ??= new Map(
      list.toReversed().flatMap((before) => (isObject(before) ? [[this.#keyOf(before), before] as const] : [])),
    ));
  }

  #keyOf(item: JsonObject): string {
    return (this.#keys ??= new PresentKeys(this.#schema.listMapKeys))
      .in(item)
      .map((name) => `${JSON.stringify(name)}:${looseText(getKey(item, name))}`)
      .join(',');
  }
}
