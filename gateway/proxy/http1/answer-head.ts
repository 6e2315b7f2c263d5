import type { OutgoingHeaders } from '../../../shared/request/exchange.ts';

/** How the body of an answer is delimited (RFC 9112 section 6.3). */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'close' };

export interface AnswerHead {
  readonly status: number;
  /** Lower-case names; repeated ones as lists; those that belong to the hop are left out. */
  readonly headers: OutgoingHeaders;
  readonly framing: Framing;
  readonly keepAlive: boolean;
}

/** Headers that concern one connection only (RFC 9110 section 7.6.1). */
export const hopHeaders: ReadonlySet<string> = new Set([
  'connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization', 'te', 'transfer-encoding', 'upgrade',
]);

const noBody: Framing = { kind: 'none' };
const inChunks: Framing = { kind: 'chunked' };
const untilClose: Framing = { kind: 'close' };

/** Reads status line and headers; `text` ends before the empty line. Throws on what is not HTTP/1.1. */
export function parseAnswerHead(text: string, method: string): AnswerHead {
  const status = Number(text.slice(9, 12));
  if (!text.startsWith('HTTP/1.') || !(status >= 100 && status <= 999)) throw new Error(`not an HTTP answer: ${JSON.stringify(text.slice(0, 40))}`);
  const headers = Object.create(null) as OutgoingHeaders;
  let length = -1;
  let chunked = false;
  let keepAlive = text.charCodeAt(7) !== 0x30;
  let at = text.indexOf('\r\n');
  while (at >= 0) {
    const start = at + 2;
    at = text.indexOf('\r\n', start);
    const end = at < 0 ? text.length : at;
    const colon = text.indexOf(':', start);
    if (colon < 0 || colon > end) throw new Error('a header line without a colon');
    const name = text.slice(start, colon).toLowerCase();
    const value = text.slice(text.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1, end).trim();
    if (hopHeaders.has(name)) {
      if (name === 'transfer-encoding') chunked = value.toLowerCase().endsWith('chunked');
      else if (name === 'connection' && value.toLowerCase() === 'close') keepAlive = false;
      continue;
    }
    if (name === 'content-length') length = contentLength(value);
    addHeader(headers, name, value);
  }
  if (chunked) delete headers['content-length'];
  return { status, headers, framing: framing(status, method, chunked, length), keepAlive };
}

/** Trailer lines, `text` ends before the empty line. */
export function parseTrailers(text: string): OutgoingHeaders | undefined {
  if (text === '') return undefined;
  const trailers = Object.create(null) as OutgoingHeaders;
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) addHeader(trailers, line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return trailers;
}

function framing(status: number, method: string, chunked: boolean, length: number): Framing {
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return noBody;
  if (chunked) return inChunks;
  if (length >= 0) return length === 0 ? noBody : { kind: 'length', length };
  return untilClose;
}

function contentLength(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new Error(`content-length ${JSON.stringify(value)}`);
  return Number(value);
}

function addHeader(headers: OutgoingHeaders, name: string, value: string): void {
  const present = headers[name];
  if (present === undefined) headers[name] = value;
  else headers[name] = Array.isArray(present) ? [...(present as string[]), value] : [String(present), value];
}
