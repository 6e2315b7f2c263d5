import { getKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { equalParts } from '#shared/cel/values/equality.ts';
import { jsonValue } from '#shared/cel/values/json-value.ts';
import { CelError, CelMap, type Value } from '#shared/cel/values/value.ts';
import { countWork } from '#shared/cel/values/work-limit.ts';
import type { Raw } from './raw.ts';
import { equalJson } from './unknown-json.ts';

/** The members of a schema that a view of an object uses. */
export interface EntriesShape {
  keyOf(name: string): string;
  knows(name: string): boolean;
  /** The field that a key names; undefined if the object or the schema has no such field. */
  readField(object: JsonObject, key: string): Value | undefined;
}

/** A JSON object: one with named fields, or a map. */
export class JsonMap extends CelMap {
  readonly raw: JsonObject;
  readonly #shape: EntriesShape;

  constructor(raw: JsonObject, shape: EntriesShape) {
    super();
    this.raw = raw;
    this.#shape = shape;
  }

  get size(): number {
    return namesIn(this.raw).length;
  }

  find(key: Value): Value | undefined {
    return typeof key === 'string' ? this.#shape.readField(this.raw, key) : undefined;
  }

  *keys(): Iterable<Value> {
    for (const name of namesIn(this.raw)) if (this.#shape.knows(name)) yield this.#shape.keyOf(name);
  }

  override get plain(): Value {
    return jsonValue(this.raw);
  }

  override *equalsMap(other: CelMap): Steps<boolean | CelError> {
    if (other.size !== this.size) return false;
    for (const name of namesIn(this.raw)) {
      const equal = this.#shape.knows(name)
        ? yield* this.#equalsAt(name, other)
        : yield* equalUnknown(name, this.raw, other);
      if (equal !== true) return equal;
      if (countWork()) yield;
    }
    return true;
  }

  *#equalsAt(name: string, other: CelMap): Steps<boolean | CelError> {
    const [mine, others] = [this.find(name), other.find(name)];
    if (mine === undefined || others === undefined) return mine === others;
    return yield* equalParts(mine, others);
  }
}

/** Compares a field that the schema does not declare. It counts as equal if the other object lacks it. */
function* equalUnknown(name: string, raw: JsonObject, other: CelMap): Steps<boolean | CelError> {
  if (!(other instanceof JsonMap)) return new CelError('no such overload');
  const value = getKey(other.raw, name);
  return value === undefined || (yield* equalJson(getKey(raw, name) as Raw, value));
}

/** The field names of large objects, cached so that repeated reads of the size take no more work. */
const namesOfLarge = new WeakMap<JsonObject, readonly string[]>();
const large = 64;

function namesIn(object: JsonObject): readonly string[] {
  const known = namesOfLarge.get(object);
  if (known !== undefined) return known;
  const names = Object.keys(object);
  if (names.length >= large) namesOfLarge.set(object, names);
  return names;
}
