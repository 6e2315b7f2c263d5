import { getKey, isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { holdsEmpty } from '#shared/apimachinery/schema/deep-equal.ts';
import type { Field, Schema } from '#shared/apimachinery/schema/schema.ts';

const writtenOtherwise = new WeakSet<object>();

/**
 * Notes an atomic list (in printed form) whose items were written in a form that Go distinguishes from the printed
 * one. Upstream compares such lists of objects by `reflect.DeepEqual` (structured-merge-diff value/listreflect.go),
 * which distinguishes an empty list or map from an absent one, a quantity of zero from an unset one, and `1000m` from
 * `1`.
 */
export function recordWrittenForm(printed: JsonValue, schema: Schema, written: JsonValue): void {
  if (!Array.isArray(printed) || !Array.isArray(written)) return;
  if (
    respelled.has(written) ||
    (printed !== written && (holdsEmpty(schema, written) || lacksQuantity(schema, written)))
  )
    writtenOtherwise.add(printed);
}

const respelled = new WeakSet<object>();

/** Notes a decoded list with a quantity whose Go value differs from that of the stored one (`equalsStoredQuantity`). */
export function recordRespelled(decoded: JsonValue[]): void {
  respelled.add(decoded);
}

const raw = new WeakMap<object, Schema>();

/** Notes an atomic list of objects that keep JSON as it was sent. */
export function recordRawForm(printed: JsonValue, schema: Schema): void {
  if (Array.isArray(printed)) raw.set(printed, schema);
}

/**
 * Whether the JSON that two such lists keep has its keys in the same order, too. True for other lists, where the order
 * does not count.
 */
export function keepsSameJson(before: JsonValue, after: JsonValue): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return true;
  const schema = raw.get(after);
  return schema === undefined || !raw.has(before) || sameJson(schema, before, after);
}

/** Compares the order of keys of two values that are otherwise equal. */
function sameJson(schema: Schema, before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  switch (schema.kind) {
    case 'scalar':
      return schema.type !== 'rawExtension' || sameOrder(before, after);
    case 'list':
      return (
        !Array.isArray(before) ||
        !Array.isArray(after) ||
        before.every((item, index) => sameJson(schema.items, item, after[index]))
      );
    case 'map':
      return (
        !isObject(before) ||
        !isObject(after) ||
        Object.keys(before).every((key) => sameJson(schema.values, before[key], getKey(after, key)))
      );
    case 'struct':
      return (
        !isObject(before) ||
        !isObject(after) ||
        schema.flat.every(({ name, schema: field }) => sameJson(field, getKey(before, name), getKey(after, name)))
      );
  }
}

function sameOrder(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (Array.isArray(before) && Array.isArray(after))
    return before.every((item, index) => sameOrder(item, after[index]));
  if (!isObject(before) || !isObject(after)) return true;
  const keys = Object.keys(after);
  return Object.keys(before).every((key, index) => key === keys[index] && sameOrder(before[key], getKey(after, key)));
}

/** Whether more than the values of a list counts where it is compared. */
export function isNoted(list: JsonValue[]): boolean {
  return raw.has(list) || writtenOtherwise.has(list);
}

/** Whether a list was written in a form that differs from every stored list. */
export function isWrittenOtherwise(list: JsonValue): boolean {
  return Array.isArray(list) && writtenOtherwise.has(list);
}

/** Whether a quantity that is always printed was left out. */
function lacksQuantity(schema: Schema, value: JsonValue | undefined): boolean {
  switch (schema.kind) {
    case 'scalar':
      return false;
    case 'struct':
      return (
        isObject(value) &&
        schema.flat.some((field) =>
          isQuantity(field)
            ? (getKey(value, field.name) ?? null) === null
            : lacksQuantity(field.schema, getKey(value, field.name)),
        )
      );
    case 'list':
      return Array.isArray(value) && value.some((item) => lacksQuantity(schema.items, item));
    case 'map':
      return isObject(value) && Object.values(value).some((item) => lacksQuantity(schema.values, item));
  }
}

function isQuantity({ schema, pointer }: Field): boolean {
  return schema.kind === 'scalar' && schema.type === 'quantity' && !pointer;
}
