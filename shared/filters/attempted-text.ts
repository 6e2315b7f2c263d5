import type { Exchange } from '#shared/request/exchange.ts';
import { headerValue } from '#shared/request/header-values.ts';
import { readQuery } from '#shared/request/query-parameters.ts';

/** The message of an audit event for which credentials failed: of which kinds they were, never what they are. */
export function attemptedText(exchange: Exchange): string {
  const authorization = headerValue(exchange, 'authorization').trim();
  const [scheme = '', ...rest] = authorization.split(' ');
  const methods: string[] = [];
  if (isBasic(authorization)) methods.push('basic');
  if (rest.length > 0 && scheme.toLowerCase() === 'bearer') methods.push('bearer');
  if ((readQuery(exchange.query).get('access_token') ?? '').trim() !== '') methods.push('access_token');
  if ((exchange.peerCertificates() ?? []).length > 0) methods.push('x509');
  return methods.length === 0
    ? 'Authentication failed, no credentials provided'
    : `Authentication failed, attempted: ${methods.join(', ')}`;
}

/** Whether a header is Basic authentication that can be decoded (net/http, Request.BasicAuth). */
function isBasic(authorization: string): boolean {
  if (!/^basic /i.test(authorization)) return false;
  const encoded = authorization.slice('basic '.length);
  return /^[A-Za-z0-9+/]*={0,2}$/.test(encoded) && Buffer.from(encoded, 'base64').includes(':');
}
