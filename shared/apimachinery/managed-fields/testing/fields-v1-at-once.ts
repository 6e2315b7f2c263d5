import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { FieldSet } from '#shared/apimachinery/managed-fields/field-set.ts';
import { formatFieldsV1InSteps, parseFieldsV1InSteps } from '#shared/apimachinery/managed-fields/fields-v1.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';

/** {@link parseFieldsV1InSteps} without slices. */
export function parseFieldsV1(fields: JsonValue | undefined): FieldSet {
  return atOnce(parseFieldsV1InSteps(fields));
}

/** {@link formatFieldsV1InSteps} without slices. */
export function formatFieldsV1(set: FieldSet): JsonObject {
  return atOnce(formatFieldsV1InSteps(set));
}
