import { getKey, isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { PresentKeys } from '#shared/apimachinery/json/present-keys.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { CelObject } from '#shared/cel/values/cel-type.ts';
import { equalParts, equalWithin, holdsValues } from '#shared/cel/values/equality.ts';
import { ProgramError } from '#shared/cel/values/errors.ts';
import { PlainList, PlainMap } from '#shared/cel/values/json-value.ts';
import { CelDouble, CelError, CelList, type Value } from '#shared/cel/values/value.ts';
import { countWork, spendBatch } from '#shared/cel/values/work-limit.ts';
import { JsonMap } from './json-map.ts';
import type { Raw } from './raw.ts';
import { UnknownJson } from './unknown-json.ts';

/** The members of a list schema that a view of the list uses. */
export interface ItemsShape {
  /** `set` or `map`; lists of all other types are compared item by item. */
  readonly listType: string;
  /** The fields that together identify an item of a `map`. */
  readonly mapKeys: PresentKeys;
  readItem(raw: Raw): Value;
}

/**
 * A JSON list. Sets are compared without order, and lists of type map by the keys of their items; for both `+` is a
 * union.
 */
export class JsonList extends CelList {
  readonly raw: readonly Raw[];
  readonly #shape: ItemsShape;
  #itemsByKey: ReadonlyMap<unknown, Raw> | undefined;

  constructor(raw: readonly Raw[], shape: ItemsShape) {
    super();
    this.raw = raw;
    this.#shape = shape;
  }

  get size(): number {
    return this.raw.length;
  }

  get(index: number): Value {
    return this.#shape.readItem(this.raw[index] as Raw);
  }

  override get plain(): Value {
    return new PlainList(this.raw);
  }

  override *equalsList(other: CelList): Steps<boolean | CelError> {
    if (other.size !== this.size) return false;
    const { listType } = this.#shape;
    if (listType !== 'set' && listType !== 'map') return yield* this.#equalsInOrder(other);
    const items = (this.#itemsByKey ??= yield* this.#byKey());
    for (let index = 0; index < other.size; index++) {
      const item = other.get(index);
      if (item instanceof CelError) return false;
      const mine = items.get(this.#keyOf(rawOf(item), item));
      if (mine === undefined) return false;
      const equal = listType === 'set' || (yield* equalParts(this.#shape.readItem(mine), item));
      if (equal !== true) return equal;
      if (countWork()) yield;
    }
    return true;
  }

  /** Whether an item is equal to a value; if none is equal, an item that cannot be compared is an error. */
  override *includes(value: Value): Steps<boolean | CelError> {
    let wrong: CelError | undefined;
    for (let index = 0; index < this.raw.length; index++) {
      const item = this.get(index);
      const equal = holdsValues(item) ? yield* equalParts(item, value) : equalWithin(item, value);
      if (equal === true) return true;
      if (equal !== false) wrong ??= equal;
      if (countWork()) yield;
    }
    return wrong ?? false;
  }

  #placesOf(items: readonly Raw[]): Map<unknown, number> {
    const places = new Map<unknown, number>();
    for (const [index, raw] of items.entries()) {
      places.set(this.#keyOf(raw), index);
      if (countWork()) spendBatch();
    }
    return places;
  }

  *#byKey(): Steps<ReadonlyMap<unknown, Raw>> {
    const items = new Map<unknown, Raw>();
    for (const raw of this.raw) {
      items.set(this.#keyOf(raw), raw);
      if (countWork()) yield;
    }
    return items;
  }

  *#equalsInOrder(other: CelList): Steps<boolean | CelError> {
    for (let index = 0; index < other.size; index++) {
      const mine = this.get(index);
      const equal = holdsValues(mine) ? yield* equalParts(mine, other.get(index)) : equalWithin(mine, other.get(index));
      if (equal !== true) return equal;
      if (countWork()) yield;
    }
    return true;
  }

  /**
   * Adds the items of another list. An item with a known key replaces the old item in a list of type map, and is
   * skipped in a set; all other items are appended. @throws WorkLimitExceeded
   */
  override plus(other: CelList): Value {
    const { listType } = this.#shape;
    const items = [...this.raw];
    const places = listType === 'set' || listType === 'map' ? this.#placesOf(items) : new Map<unknown, number>();
    for (let index = 0; index < other.size; index++) {
      const raw = rawOf(other.get(index));
      const key = this.#keyOf(raw);
      const place = listType === 'set' || listType === 'map' ? places.get(key) : undefined;
      if (place === undefined) {
        if (listType === 'set') places.set(key, items.length);
        items.push(raw);
      } else if (listType === 'map') items[place] = raw;
      if (countWork()) spendBatch();
    }
    return new JsonList(items, this.#shape);
  }

  /**
   * The key of an item: two keys are equal only if Go would find the items equal. `read` is the item as an expression
   * sees it: times and bytes never equal the texts that they were read from.
   */
  #keyOf(raw: Raw, read?: Value): unknown {
    const { listType, mapKeys } = this.#shape;
    if (listType === 'set') {
      if (read instanceof CelDouble) return `f${read.value}`;
      return raw instanceof CelObject ? raw : keyText(hashable(raw));
    }
    if (listType !== 'map') return raw;
    if (raw instanceof CelObject || raw instanceof Uint8Array || !isObject(raw)) return raw;
    return mapKeys
      .in(raw)
      .map((key) => [JSON.stringify(key), keyText(getKey(raw, key) as JsonValue)])
      .filter(([, text]) => text !== '')
      .join('\0');
  }
}

/** Items of sets are keys of a map in Go, which panics for those that cannot be. @throws ProgramError */
function hashable(raw: JsonValue | Uint8Array): JsonValue {
  if (raw instanceof Uint8Array) throw unhashable('[]uint8');
  if (typeof raw !== 'object' || raw === null) return raw;
  throw unhashable(Array.isArray(raw) ? '[]interface {}' : 'map[string]interface {}');
}

function unhashable(goType: string): ProgramError {
  return new ProgramError(`internal error: runtime error: hash of unhashable type ${goType}`);
}

function keyText(raw: JsonValue): string {
  if (typeof raw === 'string') return JSON.stringify(raw);
  // Go decodes whole numbers beyond 64 bits as floats.
  if (typeof raw === 'number') return Number.isInteger(raw) && Math.abs(raw) < 2 ** 63 ? String(raw) : `f${raw}`;
  return String(raw);
}

/** The JSON that a value was read from; values that were not read from JSON stay as they are. */
function rawOf(value: Value): Raw {
  if (value instanceof JsonMap || value instanceof UnknownJson) return value.raw;
  if (value instanceof PlainMap) return value.json;
  if (value instanceof JsonList) return [...value.raw] as JsonValue[];
  return value;
}
