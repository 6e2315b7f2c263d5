import type { JsonObject, JsonValue } from '../../json.ts';
import { atOnce } from '../../slices.ts';
import type { FieldSet } from '../field-set.ts';
import { formatFieldsV1InSteps, parseFieldsV1InSteps } from '../fields-v1.ts';

/** {@link parseFieldsV1InSteps} without slices. */
export function parseFieldsV1(fields: JsonValue | undefined): FieldSet {
  return atOnce(parseFieldsV1InSteps(fields));
}

/** {@link formatFieldsV1InSteps} without slices. */
export function formatFieldsV1(set: FieldSet): JsonObject {
  return atOnce(formatFieldsV1InSteps(set));
}
