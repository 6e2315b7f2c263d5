import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { unescapeName } from '#shared/cel/schema/names.ts';
import { CelDouble, CelError, CelList, CelMap, type Value } from '#shared/cel/values/value.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { RawClaims } from './raw-claims.ts';

/** The variable `claims`. A claim is parsed when it is first read. */
export class ClaimsValue extends CelMap {
  readonly #claims: RawClaims;
  readonly #read = new Map<string, Value>();

  constructor(claims: RawClaims) {
    super();
    this.#claims = claims;
  }

  get size(): number {
    return [...this.#claims.names()].length;
  }

  find(key: Value): Value | undefined {
    const name = typeof key === 'string' ? unescapeName(key) : undefined;
    if (name === undefined || !this.#claims.has(name)) return undefined;
    let value = this.#read.get(name);
    if (value === undefined) this.#read.set(name, (value = valueOf(this.#claims.value(name) ?? null, name)));
    return value;
  }

  /** Macros visit the values of claims, not their names, as in the reference. */
  *keys(): Iterable<Value> {
    for (const name of this.#claims.names()) {
      const value = this.find(name);
      if (value !== undefined) yield value;
    }
  }
}

/** The variable `user`. */
export function userValue({ name, uid, groups, extra }: UserInfo): CelMap {
  const lists = Object.entries(extra).map(([key, values]): [string, JsonValue] => [key, [...values]]);
  return new EscapedMap({ username: name, uid, groups: [...groups], extra: Object.fromEntries(lists) }, 'user');
}

/** A JSON object whose members are found by their names, and by their escaped names: `a__dot__b`. */
class EscapedMap extends CelMap {
  readonly #json: JsonObject;
  readonly #origin: string;

  constructor(json: JsonObject, origin: string) {
    super();
    this.#json = json;
    this.#origin = origin;
  }

  get size(): number {
    return Object.keys(this.#json).length;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    const value = getKey(this.#json, unescapeName(key) ?? key);
    return value === undefined ? undefined : valueOf(value, this.#origin);
  }

  keys(): Iterable<Value> {
    return Object.keys(this.#json);
  }
}

class EscapedList extends CelList {
  readonly #json: readonly JsonValue[];
  readonly #origin: string;

  constructor(json: readonly JsonValue[], origin: string) {
    super();
    this.#json = json;
    this.#origin = origin;
  }

  get size(): number {
    return this.#json.length;
  }

  get(index: number): Value {
    return valueOf(this.#json[index] ?? null, this.#origin);
  }
}

/** All numbers are doubles, as the reference reads claims without a schema. */
function valueOf(json: JsonValue, origin: string): Value {
  if (json === null || typeof json === 'string' || typeof json === 'boolean') return json;
  if (Array.isArray(json)) return new EscapedList(json, origin);
  if (isObject(json)) return new EscapedMap(json, origin);
  const number = Number(json);
  return Number.isFinite(number)
    ? new CelDouble(number)
    : new CelError(`claim ${goQuote(origin)} failed to unmarshal: a number is out of range`);
}
