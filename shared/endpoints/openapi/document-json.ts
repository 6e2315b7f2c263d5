import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';

/**
 * The JSON text of a part of a document that users wrote: it can have megabytes, and integers above 2^53, which
 * JSON.stringify refuses.
 */
export function* documentJson(value: JsonValue): Steps<string> {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (sliceIsOver()) yield;
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) parts.push(yield* documentJson(item));
    return `[${parts.join()}]`;
  }
  for (const [key, member] of Object.entries(value))
    parts.push(`${JSON.stringify(key)}:${yield* documentJson(member)}`);
  return `{${parts.join()}}`;
}
