import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { FieldSet } from '#shared/apimachinery/managed-fields/field-set.ts';
import { formatFieldsV1, parseFieldsV1 } from '#shared/apimachinery/managed-fields/fields-v1.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';

/** {@link parseFieldsV1} without slices. */
export function parseFieldsV1AtOnce(fields: JsonValue | undefined): FieldSet {
  return atOnce(parseFieldsV1(fields));
}

/** {@link formatFieldsV1} without slices. */
export function formatFieldsV1AtOnce(set: FieldSet): JsonObject {
  return atOnce(formatFieldsV1(set));
}
