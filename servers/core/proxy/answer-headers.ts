import type { IncomingMessage } from 'node:http';
import type { Exchange } from '#shared/request/exchange.ts';
import { isConnectionHeader, namedByConnection } from '#shared/request/relay/connection-headers.ts';

/** CORS headers: a target must not allow other origins on this server (apimachinery/pkg/util/proxy/upgradeaware.go). */
const ofOrigins: ReadonlySet<string> = new Set([
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
]);

/** The headers of a target's response that are passed on: names in lower case, one entry for each occurrence. */
export function passedHeaders(
  method: string,
  { rawHeaders, headers, statusCode }: IncomingMessage,
): [name: string, value: string][] {
  const named = namedByConnection([headers.connection ?? '']);
  const passed: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (!isConnectionHeader(name) && name !== 'trailer' && !ofOrigins.has(name) && !named.has(name))
      passed.push([name, rawHeaders[at + 1] ?? '']);
  }
  // Only a chunked body has trailers.
  const isChunked =
    headers['transfer-encoding'] !== undefined && method !== 'HEAD' && statusCode !== 204 && statusCode !== 304;
  if (headers.trailer !== undefined && isChunked) passed.push(['trailer', headers.trailer]);
  return passed;
}

/** Adds the target's headers; as in the reference, they do not replace the server's own headers of the same name. */
export function addHeaders(exchange: Exchange, headers: readonly (readonly [name: string, value: string])[]): void {
  for (const [name, value] of headers) exchange.appendHeader(name, value);
}
