import type { JsonValue } from './json.ts';

/** With fewer keys than this, each is looked up in the object. */
const few = 16;

/**
 * Finds which keys of a list an object has. A client may choose 30,000 keys, and as many objects that have none of
 * them, so that no object must cost more than its own members.
 */
export class PresentKeys {
  readonly #keys: readonly string[];
  readonly #indexes: ReadonlyMap<string, number> | undefined;

  constructor(keys: readonly string[]) {
    this.#keys = keys;
    if (keys.length > few) this.#indexes = new Map(keys.map((key, place) => [key, place]));
  }

  /** The keys that an object has, in the order of the list. */
  in(object: Readonly<Record<string, JsonValue>>): readonly string[] {
    const places = this.#indexes;
    if (places === undefined) return this.#keys.filter((key) => Object.hasOwn(object, key));
    const present = Object.keys(object).filter((key) => places.has(key));
    return present.sort((a, b) => (places.get(a) as number) - (places.get(b) as number));
  }
}
