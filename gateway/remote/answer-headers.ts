import type { IncomingHttpHeaders } from 'node:http';
import { isConnectionHeader } from '#gateway/proxy/forwarded-headers.ts';
import { setKey } from '#shared/apimachinery/json/json.ts';
import type { OutgoingHeaders } from '#shared/request/exchange.ts';

/** Headers of a server's answer that are passed on to the client. */
export function answerHeaders(received: IncomingHttpHeaders): OutgoingHeaders {
  const headers: OutgoingHeaders = {};
  for (const [name, value] of Object.entries(received))
    if (value !== undefined && !isConnectionHeader(name)) setKey(headers, name, value);
  return headers;
}
