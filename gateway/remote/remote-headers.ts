import type { RequestContext } from '../../shared/request/request-context.ts';
import { forwardedHeaders } from '../proxy/forwarded-headers.ts';
import type { Address } from './resolve-service.ts';

/** What our own servers are told and others are not; undici writes the host. */
const ofInternalHop: ReadonlySet<string> = new Set(['host', 'x-quarterdeck-received-at', 'x-quarterdeck-impersonator']);

const overwritten: ReadonlySet<string> = new Set(['x-forwarded-uri', 'x-forwarded-host', 'x-forwarded-proto']);

/** Names and values in turn, as the reference sends them to a registered server: the user in `X-Remote-*`. */
export function remoteHeaders(context: RequestContext, address: Address): string[] {
  const { exchange } = context;
  const all = forwardedHeaders(context);
  const headers: string[] = [];
  for (let at = 0; at + 1 < all.length; at += 2) {
    const name = all[at] ?? '';
    const lower = name.toLowerCase();
    if (!ofInternalHop.has(lower) && !overwritten.has(lower)) headers.push(name, all[at + 1] ?? '');
  }
  headers.push('x-forwarded-uri', exchange.path, 'x-forwarded-host', address, 'x-forwarded-proto', 'https');
  return headers;
}

/** Path and query as the client sent them. */
export function requestTarget({ exchange }: RequestContext): string {
  return exchange.query === '' ? exchange.path : `${exchange.path}?${exchange.query}`;
}
