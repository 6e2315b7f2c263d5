import type { IncomingHttpHeaders } from 'node:http';
import { setKey } from '#shared/apimachinery/json/json.ts';
import { auditHeader } from '#shared/request/audit-header.ts';
import type { OutgoingHeaders } from '#shared/request/exchange.ts';
import { addHeader } from '#shared/request/header-values.ts';

/**
 * Headers that concern one connection and are never passed on (RFC 9110 section 7.6.1), with those that proxies drop
 * besides (net/http/httputil, ReverseProxy). `Trailer` is not among them: it announces what follows an answer.
 */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  auditHeader,
]);

/** Headers of a request that are not passed on: those of its connection, and those that each hop writes itself. */
export const requestHeadersOfHop: ReadonlySet<string> = new Set([
  ...ofConnection,
  'trailer',
  'content-length',
  'expect',
  'host',
  'audit-id',
]);

const longestOfConnection = Math.max(...[...ofConnection].map((name) => name.length));

/** Whether a header concerns one connection only. `name` in lower case. */
export function isConnectionHeader(name: string): boolean {
  // Most names are not: testing the first letter (c, h, k, p, t, u, x) saves hashing a string that was just read.
  const first = name.charCodeAt(0);
  return (
    (first === 0x63 ||
      first === 0x68 ||
      first === 0x6b ||
      first === 0x70 ||
      first === 0x74 ||
      first === 0x75 ||
      first === 0x78) &&
    name.length <= longestOfConnection &&
    ofConnection.has(name)
  );
}

/** The headers that the values of `Connection` name, in lower case: they concern that connection only, too. */
export function namedByConnection(values: readonly string[]): ReadonlySet<string> {
  return new Set(values.flatMap((value) => value.toLowerCase().split(',')).map((name) => name.trim()));
}

/** The headers of an answer that go on to the client, from names and values in turn, as received. */
export function answerHeaders(rawHeaders: readonly string[]): OutgoingHeaders {
  const headers: OutgoingHeaders = {};
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (!isConnectionHeader(name)) addHeader(headers, name, rawHeaders[at + 1] ?? '');
  }
  return headers;
}

/** The same of headers, or trailers, that were parsed already. */
export function parsedAnswerHeaders(received: IncomingHttpHeaders): OutgoingHeaders {
  const headers: OutgoingHeaders = {};
  for (const [name, value] of Object.entries(received))
    if (value !== undefined && !isConnectionHeader(name)) setKey(headers, name, value);
  return headers;
}
