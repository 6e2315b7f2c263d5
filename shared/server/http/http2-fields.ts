import type { OutgoingField } from '#shared/http2/outgoing-field.ts';
import type { OutgoingHeaders } from '#shared/request/exchange.ts';

const colon = 0x3a;

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

/** Those that are not valid in HTTP/2 are left out when they are sent. A header whose name begins with `:` is none. */
function addFields(headers: OutgoingHeaders, fields: OutgoingField[]): void {
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || name.charCodeAt(0) === colon) continue;
    if (Array.isArray(value)) for (const one of value) fields.push([name, one]);
    else fields.push([name, String(value)]);
  }
}

function currentDate(): string {
  const second = Math.floor(Date.now() / 1000);
  if (date.second !== second) date = { second, text: new Date(second * 1000).toUTCString() };
  return date.text;
}
