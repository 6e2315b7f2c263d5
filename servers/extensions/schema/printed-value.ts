import { VerbatimValue, type BadValue } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { looseText } from '#shared/serializer/json/loose.ts';

/** The value in an error: objects and lists as text with sorted keys, as Go prints them. */
export function printedValue(value: JsonValue | undefined): BadValue {
  return typeof value === 'object' && value !== null ? new VerbatimValue(looseText(value)) : value;
}
