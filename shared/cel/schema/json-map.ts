import { getKey, type JsonObject } from '../../apimachinery/json.ts';
import type { Steps } from '../../apimachinery/slices.ts';
import { equalParts } from '../values/equality.ts';
import { jsonValue } from '../values/json-value.ts';
import { countWork } from '../values/work-limit.ts';
import { CelError, CelMap, type Value } from '../values/value.ts';
import { equalJson } from './unknown-json.ts';
import type { Raw } from './value-shape.ts';

/** What a view on an object needs to know of its schema. */
export interface EntriesShape {
  keyOf(name: string): string;
  knows(name: string): boolean;
  /** The field that a key names; undefined if the object or the schema has no such field. */
  readField(object: JsonObject, key: string): Value | undefined;
}

/** An object of JSON: one with named fields, or a map. */
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

/** Fields that only one of them has make no difference here: the sizes were compared. */
function* equalUnknown(name: string, raw: JsonObject, other: CelMap): Steps<boolean | CelError> {
  if (!(other instanceof JsonMap)) return new CelError('no such overload');
  const value = getKey(other.raw, name);
  return value === undefined || (yield* equalJson(getKey(raw, name) as Raw, value));
}

/** Names of large objects, so that asking for the size of one again and again is no more work than the first time. */
const namesOfLarge = new WeakMap<JsonObject, readonly string[]>();
const large = 64;

function namesIn(object: JsonObject): readonly string[] {
  const known = namesOfLarge.get(object);
  if (known !== undefined) return known;
  const names = Object.keys(object);
  if (names.length >= large) namesOfLarge.set(object, names);
  return names;
}
