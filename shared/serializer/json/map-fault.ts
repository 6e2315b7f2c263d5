import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { findHugeNumber, hugeNumberText } from './huge-number.ts';
import { decodeUtf8, parseJsonText } from './parse.ts';
import { JsonSyntaxError } from './syntax-error.ts';

/** The error of Go's decoder where it cannot read a text into a `map[string]interface{}`; undefined where it can. */
export function mapFault(bytes: Uint8Array): string | undefined {
  const text = decodeUtf8(bytes);
  let value: JsonValue;
  try {
    value = atOnce(parseJsonText(text, bytes));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message;
    throw error;
  }
  if (typeof value !== 'object' || Array.isArray(value))
    return `json: cannot unmarshal ${goKind(value)} into Go value of type map[string]interface {}`;
  const huge = findHugeNumber(text);
  return huge === undefined ? undefined : hugeNumberText(huge);
}

function goKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'bigint' ? 'number' : typeof value;
}
