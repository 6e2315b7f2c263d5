import { fieldText, isFieldName } from './field-form.ts';
import type { HeaderEncoder } from './hpack/encoder.ts';
import { fieldsOfConnections } from './request-head.ts';

/** Name and value, as the sender of an answer has them: a name in any case. */
export type OutgoingField = readonly [name: string, value: string];

/** Names of fields as they are sent, by names of headers; undefined for those that are left out. */
const names = new Map<string, string | undefined>();
/** Servers of users choose some of them. */
const mostNames = 1_000;
const longestName = 100;

/**
 * Writes the fields; those that are not valid in HTTP/2 are left out, as in golang.org/x/net/http2 (write.go,
 * encodeHeaders). What the encoder has in its tables was valid before.
 */
export function encodeFields(encoder: HeaderEncoder, fields: readonly OutgoingField[]): void {
  for (const [name, value] of fields) if (!encoder.known(name, value)) encodeNew(encoder, name, value);
}

function encodeNew(encoder: HeaderEncoder, key: string, value: string): void {
  const name = names.get(key) ?? nameOf(key);
  const text = name === undefined ? undefined : fieldText(value);
  if (name !== undefined && text !== undefined) encoder.field(name, text);
}

function nameOf(key: string): string | undefined {
  if (key.startsWith(':')) return key;
  const lower = key.toLowerCase();
  const name = fieldsOfConnections.has(lower) || !isFieldName(lower) ? undefined : lower;
  if (names.size < mostNames && key.length <= longestName) names.set(key, name);
  return name;
}
