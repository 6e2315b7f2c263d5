import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { conform } from '#shared/serializer/json/conform.ts';

/**
 * The metadata fields whose values have the right type. Stored objects may have fields of a wrong type, which are
 * dropped when the object is read.
 */
export function wellFormedFields(objectMeta: StructSchema, metadata: JsonObject): JsonObject {
  const fields: JsonObject = {};
  for (const key of Object.keys(metadata)) {
    const value = metadata[key] as JsonValue;
    if (hasItsType(objectMeta, key, value)) setKey(fields, key, value);
  }
  return fields;
}

function hasItsType(objectMeta: StructSchema, key: string, value: JsonValue): boolean {
  const alone: JsonObject = {};
  setKey(alone, key, cloneJson(value));
  try {
    atOnce(conform(objectMeta, alone, { strict: false }));
    return true;
  } catch (error) {
    if (error instanceof TypeError || !(error instanceof Error)) throw error;
    return false;
  }
}
