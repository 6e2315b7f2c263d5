import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { setKey } from '#shared/apimachinery/json/json.ts';
import { durationText, timestampText } from '#shared/cel/values/conversions.ts';
import { goType } from '#shared/cel/values/go-type.ts';
import {
  CelDouble,
  CelDuration,
  CelList,
  CelMap,
  CelTimestamp,
  CelUint,
  type Value,
} from '#shared/cel/values/value.ts';
import { ConstructedObject } from './patch-types.ts';

/** A value that has no JSON form. */
export class NoJsonError extends Error {}

/** Which integers JSON can hold: all of 64 bits, or those that a float holds exactly (others become texts). */
export type JsonIntegers = 'all' | 'safe';

/** The JSON form of a value, as protobuf's Value has it. @throws NoJsonError */
export function celJson(value: Value, integers: JsonIntegers): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return value;
  if (typeof value === 'bigint') return integers === 'all' ? value : String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof ConstructedObject) return objectJson(value.fields, integers);
  if (value instanceof CelUint) return celJson(value.value, integers);
  if (value instanceof CelDouble) return value.value;
  if (value instanceof CelDuration) return durationText(value);
  if (value instanceof CelTimestamp) return timestampText(value);
  if (value instanceof CelList) return Array.from({ length: value.size }, (_, at) => celJson(value.get(at), integers));
  if (value instanceof CelMap) return mapJson(value, integers);
  throw new NoJsonError(`unsupported type: ${goType(value)}`);
}

function objectJson(fields: ReadonlyMap<string, Value>, integers: JsonIntegers): JsonObject {
  const json: JsonObject = {};
  for (const [name, field] of fields) setKey(json, name, celJson(field, integers));
  return json;
}

function mapJson(map: CelMap, integers: JsonIntegers): JsonObject {
  const json: JsonObject = {};
  for (const key of map.keys()) {
    const value = map.find(key);
    const name = key instanceof CelUint ? String(key.value) : String(key);
    if (value !== undefined) setKey(json, name, celJson(value, integers));
  }
  return json;
}

/**
 * The mismatches between the names of constructed types and the fields that they stand in: `Object.spec{…}` belongs
 * into `spec`.
 */
export function mismatchedTypeNames(object: ConstructedObject): string[] {
  const found: string[] = [];
  check(object, object.type.name, found);
  return found;
}

function check(value: Value, path: string, found: string[]): void {
  if (value instanceof ConstructedObject) {
    const { name } = value.type;
    if (name !== path)
      found.push(
        `unexpected type name "${name}", expected "${path}", which matches field name path from root Object type`,
      );
    for (const [field, member] of value.fields) check(member, `${path}.${field}`, found);
  } else if (value instanceof CelList) {
    for (let at = 0; at < value.size; at++) check(value.get(at), path, found);
  } else if (value instanceof CelMap) {
    for (const key of value.keys()) {
      const member = value.find(key);
      if (member !== undefined) check(member, path, found);
    }
  }
}
