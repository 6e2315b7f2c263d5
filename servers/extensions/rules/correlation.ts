import type { OldValue } from '#servers/extensions/schema/old-value.ts';
import type { SchemaNode } from '#servers/extensions/schema/schema-node.ts';
import { getKey, isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { partIsOver } from '#shared/cel/values/part-is-over.ts';

/** A value and its counterpart in the old object. */
export class Correlated {
  readonly #value: JsonValue;
  readonly #old: OldValue;
  #unchanged: boolean | undefined;

  constructor(value: JsonValue, old: OldValue) {
    this.#value = value;
    this.#old = old;
  }

  /** Whether the value is unchanged. Computed only once, as many errors may need it. */
  get unchanged(): boolean {
    return (this.#unchanged ??= this.#old.equals(this.#value));
  }

  field(name: string): Correlated | undefined {
    const value = isObject(this.#value) ? getKey(this.#value, name) : undefined;
    const old = value === undefined ? undefined : this.#old.field(name);
    return value === undefined || old === undefined ? undefined : new Correlated(value, old);
  }

  item(item: JsonValue): Correlated | undefined {
    const old = this.#old.item(item);
    return old === undefined ? undefined : new Correlated(item, old);
  }
}

/** The value at a path, if it can be correlated with an old value, and its nearest ancestor that can. */
export interface Ratchet {
  readonly here: Correlated | undefined;
  readonly above: Correlated | undefined;
}

export const noRatchet: Ratchet = { here: undefined, above: undefined };

/**
 * Whether ratcheting applies (KEP-4008): the value is unchanged or, if it cannot be correlated, its nearest ancestor
 * that can be correlated. An error of a rule is then only a warning.
 */
export function isRatcheted({ here, above }: Ratchet): boolean {
  return (here ?? above)?.unchanged === true;
}

export function ratchetAtField(ratchet: Ratchet, name: string): Ratchet {
  const { here, above } = ratchet;
  if (here === undefined) return ratchet;
  // Both objects are converted to one version, so a change of apiVersion or kind cannot be detected.
  if (above === undefined && (name === 'apiVersion' || name === 'kind')) return noRatchet;
  return { here: here.field(name), above: here };
}

export function ratchetAtItem(ratchet: Ratchet, item: JsonValue): Ratchet {
  return ratchet.here === undefined ? ratchet : { here: ratchet.here.item(item), above: ratchet.here };
}

/**
 * Returns a function that finds the old item for an item of a list of type map: the first old item with the same keys.
 * For other lists it always returns undefined.
 */
export function* oldItemFinder(
  schema: SchemaNode,
  old: JsonValue | undefined,
): Steps<(item: JsonValue) => JsonValue | undefined> {
  const keys = schema.listMapKeys;
  if (!Array.isArray(old) || schema.type !== 'array' || schema.listType !== 'map' || keys.length === 0)
    return () => undefined;
  const byKey = new Map<string, JsonValue>();
  for (const before of old) {
    const key = keyOf(before, keys);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, before);
    if (partIsOver()) yield;
  }
  return (item) => {
    const key = keyOf(item, keys);
    return key === undefined ? undefined : byKey.get(key);
  };
}

/** The keys of an item as one text; undefined if a key is missing or not a scalar. */
function keyOf(item: JsonValue, keys: readonly string[]): string | undefined {
  if (!isObject(item)) return undefined;
  const parts: string[] = [];
  for (const key of keys) {
    const value = getKey(item, key);
    if (value === undefined || value === null || typeof value === 'object') return undefined;
    parts.push(typeof value === 'string' ? JSON.stringify(value) : String(value));
  }
  return parts.join('\0');
}
