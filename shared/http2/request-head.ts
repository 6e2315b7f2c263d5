import { getKey, setKey } from '#shared/apimachinery/json/json.ts';
import { isFieldName, isFieldValue } from './field-form.ts';
import { errorCode, StreamFault } from './frames.ts';
import type { FieldSink } from './hpack/decoder.ts';
import { entryOverhead } from './hpack/dynamic-table.ts';
import type { HeaderField } from './hpack/static-table.ts';

/** The header fields of a request. */
export interface RequestHead {
  /**
   * Headers by name, pseudo-header fields included. Repeated headers are joined as in node:http. The object has no
   * prototype.
   */
  readonly headers: Record<string, string | string[]>;
  /** Names and values alternating, as received. */
  readonly rawHeaders: readonly string[];
  /**
   * Why the request is refused before it is handled: too many or too large fields, or fields that HTTP/2 does not
   * allow.
   */
  readonly refusal?: HeadRefusal;
}

export interface HeadRefusal {
  readonly status: 400 | 431;
  readonly text: string;
}

const pseudoFields: ReadonlySet<string> = new Set([':method', ':scheme', ':authority', ':path']);
/** Headers that keep only their first value if they are repeated, as in node:http. */
const singleFields: ReadonlySet<string> = new Set([
  'age',
  'authorization',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'from',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'referer',
  'retry-after',
  'server',
  'user-agent',
]);
/** Fields of HTTP/1.1 connections, which HTTP/2 forbids (RFC 9113 section 8.2.2), by the names that Go writes. */
export const fieldsOfConnections: ReadonlyMap<string, string> = new Map([
  ['connection', 'Connection'],
  ['keep-alive', 'Keep-Alive'],
  ['proxy-connection', 'Proxy-Connection'],
  ['transfer-encoding', 'Transfer-Encoding'],
  ['upgrade', 'Upgrade'],
]);

const colon = 0x3a;
const longValue = 256;

/** Collects the fields of one header block, and validates them as golang.org/x/net/http2 does (frame.go, server.go). */
export class HeadCollector implements FieldSink {
  readonly #raw: string[] = [];
  #left: number;
  #fault: string | undefined;
  #sawField = false;
  /** Long values that were found valid: with HPACK a client can repeat one for a byte. */
  #judged: Set<string> | undefined;

  /** @param most bytes of all names and values, with 32 more for each field */
  constructor(most: number) {
    this.#left = most;
  }

  /** Bytes that further fields may take. */
  get bytesLeft(): number {
    return Math.max(0, this.#left);
  }

  get isFaulty(): boolean {
    return this.#fault !== undefined;
  }

  field(name: string, value: string, kept?: HeaderField): void {
    if (this.#fault !== undefined || this.#left < 0) return;
    this.#left -= name.length + value.length + entryOverhead;
    if (kept?.isValid !== true && !this.#isFieldValue(value)) this.#fault = 'invalid header field value';
    else if (name.charCodeAt(0) === colon) {
      if (this.#sawField) this.#fault = 'pseudo header field after regular';
    } else {
      this.#sawField = true;
      if (kept?.isValid !== true && !isFieldName(name)) this.#fault = 'invalid header field name';
    }
    if (kept !== undefined && this.#fault === undefined) kept.isValid = true;
    if (this.#left >= 0) this.#raw.push(name, value);
  }

  #isFieldValue(value: string): boolean {
    if (value.length < longValue) return isFieldValue(value);
    this.#judged ??= new Set();
    if (this.#judged.has(value)) return true;
    if (!isFieldValue(value)) return false;
    this.#judged.add(value);
    return true;
  }

  /** @throws StreamFault */
  checkTrailers(stream: number): void {
    if (this.#fault !== undefined) throw new StreamFault(stream, errorCode.protocol, this.#fault);
    for (let at = 0; at < this.#raw.length; at += 2) {
      if (this.#raw[at]?.startsWith(':') === true)
        throw new StreamFault(stream, errorCode.protocol, 'pseudo header in trailers');
    }
  }

  /** @throws StreamFault */
  request(stream: number): RequestHead {
    if (this.#fault !== undefined) throw new StreamFault(stream, errorCode.protocol, this.#fault);
    const rawHeaders = this.#raw;
    const headers = Object.create(null) as Record<string, string | string[]>;
    for (let at = 0; at < rawHeaders.length; at += 2)
      addField(stream, headers, rawHeaders[at] as string, rawHeaders[at + 1] as string);
    requirePseudoFields(stream, headers);
    const refusal = this.#left < 0 ? tooLarge : misplacedField(rawHeaders);
    return refusal === undefined ? { headers, rawHeaders } : { headers, rawHeaders, refusal };
  }
}

const tooLarge: HeadRefusal = { status: 431, text: '431 Request Header Fields Too Large' };

function addField(stream: number, headers: Record<string, string | string[]>, name: string, value: string): void {
  const before = getKey(headers, name);
  if (name.charCodeAt(0) === colon && (before !== undefined || !pseudoFields.has(name)))
    throw new StreamFault(stream, errorCode.protocol, 'invalid pseudo header');
  if (Array.isArray(before)) before.push(value);
  else if (before === undefined && name === 'set-cookie') setKey(headers, name, [value]);
  else if (before === undefined) setKey(headers, name, value);
  else if (!singleFields.has(name)) setKey(headers, name, `${before}${name === 'cookie' ? '; ' : ', '}${value}`);
}

/** Requires the pseudo-header fields of RFC 9113 sections 8.3.1 and 8.5. */
function requirePseudoFields(stream: number, headers: Readonly<Record<string, unknown>>): void {
  const { ':method': method, ':path': path, ':scheme': scheme, ':authority': authority } = headers;
  const isWhole =
    method === 'CONNECT'
      ? path === undefined && scheme === undefined && authority !== undefined
      : Boolean(method) && Boolean(path) && Boolean(scheme);
  if (!isWhole || (typeof path === 'string' && isMalformed(path)))
    throw new StreamFault(stream, errorCode.protocol, 'bad request');
}

/** Whether Go refuses the target: a tab anywhere, or a broken escape in the path (server.go, newWriterAndRequest). */
function isMalformed(target: string): boolean {
  if (target.includes('\t')) return true;
  if (!target.includes('%')) return false;
  const end = target.indexOf('?');
  return brokenEscape.test(end < 0 ? target : target.slice(0, end));
}

const brokenEscape = /%(?![0-9a-fA-F]{2})/;

/** Refuses connection-specific fields of HTTP/1.1 (server.go, checkValidHTTP2RequestHeaders). */
function misplacedField(rawHeaders: readonly string[]): HeadRefusal | undefined {
  let tes = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    const written = fieldsOfConnections.get(name);
    if (written !== undefined) return { status: 400, text: `request header "${written}" is not valid in HTTP/2\n` };
    if (name === 'te' && (++tes > 1 || (rawHeaders[at + 1] !== 'trailers' && rawHeaders[at + 1] !== '')))
      return { status: 400, text: 'request header "TE" may only be "trailers" in HTTP/2\n' };
  }
  return undefined;
}

/** The Content-Length of the request; undefined without one, 0 for an invalid one, as in Go. */
export function announcedBytes({ headers }: RequestHead): number | undefined {
  const length = headers['content-length'];
  if (length === undefined) return undefined;
  return typeof length === 'string' && /^\d{1,15}$/.test(length) ? Number(length) : 0;
}
