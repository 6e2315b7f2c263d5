import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { CelObject } from './cel-type.ts';
import { CelDouble, CelList, CelMap, int, type Value } from './value.ts';

/** A JSON value without a schema: whole numbers are ints. Lists and maps are views, so nothing is copied. */
export function jsonValue(json: JsonValue | CelObject | Uint8Array | undefined): Value {
  if (json === undefined || json === null || typeof json === 'string' || typeof json === 'boolean') return json ?? null;
  if (typeof json === 'bigint') return int(json);
  if (typeof json === 'number') return Number.isInteger(json) ? wholeNumber(json) : new CelDouble(json);
  if (json instanceof CelObject || json instanceof Uint8Array) return json;
  return isObject(json) ? new PlainMap(json) : new PlainList(json);
}

function wholeNumber(value: number): Value {
  if (Number.isSafeInteger(value)) return value + 0;
  return Math.abs(value) < 2 ** 63 ? int(BigInt(value)) : new CelDouble(value);
}

/** A list of JSON values. Items that an expression added may be values without a JSON form. */
export class PlainList extends CelList {
  readonly #json: readonly (JsonValue | CelObject | Uint8Array)[];

  constructor(json: readonly (JsonValue | CelObject | Uint8Array)[]) {
    super();
    this.#json = json;
  }

  get size(): number {
    return this.#json.length;
  }

  get(index: number): Value {
    return jsonValue(this.#json[index]);
  }
}

export class PlainMap extends CelMap {
  readonly json: JsonObject;

  constructor(json: JsonObject) {
    super();
    this.json = json;
  }

  get size(): number {
    return Object.keys(this.json).length;
  }

  find(key: Value): Value | undefined {
    const value = typeof key === 'string' ? getKey(this.json, key) : undefined;
    return value === undefined ? undefined : jsonValue(value);
  }

  keys(): Iterable<Value> {
    return Object.keys(this.json);
  }
}
