import { isHopHeader } from '#shared/authentication/hop-identity.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import { headerValue } from '#shared/request/header-values.ts';
import { auditedHeader, proxiedHostHeader } from '#shared/request/proxied-headers.ts';
import { requestHeadersOfHop } from '#shared/request/relay/connection-headers.ts';

/** Header names as they are written to the target, and their values. */
export type TargetHeaders = Map<string, string | string[]>;

/**
 * The headers for the target: those of the client without its credentials. The headers for identity and impersonation
 * are for gateway and core only. The gateway has already added the client's address to `X-Forwarded-For`.
 */
export function targetHeaders(exchange: Exchange): TargetHeaders {
  const headers: TargetHeaders = new Map([['Host', clientHost(exchange)]]);
  const raw = exchange.rawHeaders ?? [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (isHopHeader(name) || requestHeadersOfHop.has(name.toLowerCase())) continue;
    add(headers, canonicalName(name), raw[at + 1] ?? '');
  }
  if (headerValue(exchange, auditedHeader) !== '') add(headers, 'Audit-Id', headerValue(exchange, 'audit-id'));
  if (headerValue(exchange, 'te') === 'trailers') headers.set('Te', 'trailers');
  return headers;
}

/** How the body of a request is delimited for the target. */
export function addFraming(headers: TargetHeaders, { method, headers: sent }: Exchange): void {
  const length = sent['content-length'];
  if (sent['transfer-encoding'] !== undefined) headers.set('Transfer-Encoding', 'chunked');
  else if (
    typeof length === 'string' &&
    (length !== '0' || method === 'POST' || method === 'PUT' || method === 'PATCH')
  )
    headers.set('Content-Length', length);
}

/** The host of the client's request; the request from gateway to core has another one. */
export function clientHost(exchange: Exchange): string {
  return headerValue(exchange, proxiedHostHeader);
}

function add(headers: TargetHeaders, name: string, value: string): void {
  const present = headers.get(name);
  if (present === undefined) headers.set(name, value);
  else if (typeof present === 'string') headers.set(name, [present, value]);
  else present.push(value);
}

/** A header name in the form in which Go sends all names, such as `X-Forwarded-For`. */
function canonicalName(name: string): string {
  return name.toLowerCase().replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}
