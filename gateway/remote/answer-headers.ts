import type { IncomingHttpHeaders } from 'node:http';
import type { OutgoingHeaders } from '../../shared/request/exchange.ts';

/** What concerns the connection to the server only (RFC 9110 section 7.6.1). */
const ofConnection: ReadonlySet<string> = new Set([
  'connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization', 'te', 'transfer-encoding', 'upgrade',
]);

/** Headers of a server's answer as they go on to the client. */
export function answerHeaders(received: IncomingHttpHeaders): OutgoingHeaders {
  const headers: OutgoingHeaders = {};
  for (const [name, value] of Object.entries(received)) if (value !== undefined && !ofConnection.has(name)) headers[name] = value;
  return headers;
}
