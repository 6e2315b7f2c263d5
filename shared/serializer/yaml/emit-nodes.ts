import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { sortedKeys } from '#shared/serializer/json/go-text.ts';
import { nodeText } from './scalar-text.ts';

/**
 * YAML of a value as gnostic keeps it in OpenAPI documents (gnostic-models/compiler, Marshal): go-yaml v3's nodes of
 * the JSON text without their styles. Blocks are indented by multiples of four, except those that begin after a dash.
 * Ends with a line break.
 */
export function encodeYamlNodes(value: JsonValue): string {
  return `${block(value, 0) ?? inline(value, 4)}\n`;
}

/** The lines of a list or map, indented except for the first one; undefined for a value on one line. */
function block(value: JsonValue, indent: number): string | undefined {
  const start = `\n${' '.repeat(indent)}`;
  if (Array.isArray(value))
    return value.length === 0
      ? undefined
      : value.map((item) => `- ${block(item, indent + 2) ?? inline(item, below(indent))}`).join(start);
  const keys = isObject(value) ? sortedKeys(value) : [];
  return keys.length === 0 ? undefined : keys.map((key) => field(value as JsonObject, key, below(indent))).join(start);
}

function field(object: JsonObject, key: string, indent: number): string {
  const value = getKey(object, key) as JsonValue;
  const lines = block(value, indent);
  return `${nodeText(key, '')}:${lines === undefined ? ` ${inline(value, indent)}` : `\n${' '.repeat(indent)}${lines}`}`;
}

function below(indent: number): number {
  return 4 * Math.floor((indent + 4) / 4);
}

/** A value on the line of its key. `indent` is the indentation of the following lines of a text. */
function inline(value: JsonValue, indent: number): string {
  if (typeof value === 'string') return nodeText(value, ' '.repeat(indent));
  return Array.isArray(value) ? '[]' : isObject(value) ? '{}' : String(value);
}
