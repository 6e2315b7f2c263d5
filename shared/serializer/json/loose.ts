import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { formatFloat, quoteJson, sortedKeys } from './go-text.ts';

/** JSON text of a value without a schema: map keys sorted, as Go prints `map[string]any`. */
export function looseText(value: JsonValue | undefined): string {
  switch (typeof value) {
    case 'string':
      return quoteJson(value);
    case 'number':
      return formatFloat(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
      return bigIntText(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? listText(value) : objectText(value);
    default:
      return 'null';
  }
}

/** Integers beyond int64 are float64 in Go. */
function bigIntText(value: bigint): string {
  return BigInt.asIntN(64, value) === value ? value.toString() : formatFloat(Number(value));
}

function listText(list: readonly JsonValue[]): string {
  let out = '[';
  for (let i = 0; i < list.length; i++) out += (i === 0 ? '' : ',') + looseText(list[i]);
  return out + ']';
}

function objectText(object: JsonObject): string {
  let out = '{';
  for (const key of sortedKeys(object)) {
    const value = getKey(object, key);
    if (value !== undefined) out += (out.length === 1 ? '' : ',') + quoteJson(key) + ':' + looseText(value);
  }
  return out + '}';
}

/** Texts of immutable values that many objects share: the field sets of managers. */
const frozenTexts = new WeakMap<object, string>();

/**
 * JSON text of raw JSON that the reference keeps as bytes (RawExtension, FieldsV1): keys stay in the client's order.
 * The text of a frozen value is cached.
 */
export function rawText(value: JsonValue | undefined): string {
  if (typeof value !== 'object' || value === null || !Object.isFrozen(value)) return printRaw(value);
  return keptText(value) ?? keepText(value, printRaw(value));
}

export function keptText(frozen: object): string | undefined {
  return frozenTexts.get(frozen);
}

export function keepText(frozen: object, text: string): string {
  frozenTexts.set(frozen, text);
  return text;
}

function printRaw(value: JsonValue | undefined): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return looseText(value);
  if (Array.isArray(value)) return printRawList(value);
  let out = '{';
  for (const key of Object.keys(value))
    out += (out.length === 1 ? '' : ',') + quoteJson(key) + ':' + printRaw(value[key]);
  return out + '}';
}

function printRawList(list: readonly JsonValue[]): string {
  let out = '[';
  for (let i = 0; i < list.length; i++) out += (i === 0 ? '' : ',') + printRaw(list[i]);
  return out + ']';
}
