import { isFieldName, isFieldValue } from '#shared/http2/field-form.ts';
import type { OutgoingField } from '#shared/http2/frame-writer.ts';
import { fieldsOfConnections } from '#shared/http2/request-head.ts';
import type { OutgoingHeaders } from '#shared/request/exchange.ts';

/** Names of fields as they are sent, by names of headers; undefined for those that are left out. */
const names = new Map<string, string | undefined>();
/** Servers of users choose some of them. */
const mostNames = 1_000;
const longestName = 100;

let date = { second: 0, text: '' };

/** The header fields of an informational answer. */
export function informationFields(status: number, headers: OutgoingHeaders): OutgoingField[] {
  const fields: OutgoingField[] = [[':status', String(status)]];
  addFields(headers, fields);
  return fields;
}

/** The header fields of an answer, with its date. */
export function answerFields(status: number, headers: OutgoingHeaders): OutgoingField[] {
  const fields = informationFields(status, headers);
  if (headers['date'] === undefined) fields.push(['date', currentDate()]);
  return fields;
}

export function trailerFields(headers: OutgoingHeaders): OutgoingField[] {
  const fields: OutgoingField[] = [];
  addFields(headers, fields);
  return fields;
}

/**
 * Adds header fields; those that are not valid in HTTP/2 are left out, as in golang.org/x/net/http2 (write.go,
 * encodeHeaders).
 */
function addFields(headers: OutgoingHeaders, fields: OutgoingField[]): void {
  for (const key in headers) {
    const value = headers[key];
    if (value === undefined) continue;
    const name = names.get(key) ?? nameOf(key);
    if (name === undefined) continue;
    if (Array.isArray(value)) for (const one of value) addField(name, one, fields);
    else addField(name, String(value), fields);
  }
}

function nameOf(key: string): string | undefined {
  const lower = key.toLowerCase();
  const name = fieldsOfConnections.has(lower) || !isFieldName(lower) ? undefined : lower;
  if (names.size < mostNames && key.length <= longestName) names.set(key, name);
  return name;
}

function addField(name: string, value: string, fields: OutgoingField[]): void {
  if (isFieldValue(value)) fields.push([name, value]);
  else {
    // It may hold characters that do not fit in one byte.
    const text = Buffer.from(value).toString('latin1');
    if (isFieldValue(text)) fields.push([name, text]);
  }
}

function currentDate(): string {
  const second = Math.floor(Date.now() / 1000);
  if (date.second !== second) date = { second, text: new Date(second * 1000).toUTCString() };
  return date.text;
}
