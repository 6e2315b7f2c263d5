import { posix } from 'node:path';
import { forwardedClientHeaders, forwardedFor } from '#gateway/proxy/forwarded-headers.ts';
import { remoteIdentity } from '#shared/authentication/hop-identity.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { encodePath, encodeQuery } from '#shared/request/request-path.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { ServiceAddress } from '#shared/services/resolve-service.ts';
import { traceHeaders } from '#shared/spans/active-span.ts';
import type { PassedHeaders } from '#shared/spans/request-span.ts';
import type { RemoteServer } from './remote-server.ts';

const overwritten: ReadonlySet<string> = new Set(['x-forwarded-uri', 'x-forwarded-host', 'x-forwarded-proto']);

/** Identity headers by user object: authenticators return the same object for the same credential. */
const identities = new WeakMap<UserInfo, readonly string[]>();

/**
 * Alternating names and values of the headers that the reference sends to a registered server, with the user in
 * `X-Remote-*`. The HTTP client refuses values with a line break. For an upgrade `address` is undefined, and
 * `X-Forwarded-Uri`, `-Host` and `-Proto` are not set, as in the reference.
 */
export function remoteHeaders(
  context: RequestContext,
  address: ServiceAddress | undefined,
  { ownHeaders, hides }: Pick<RemoteServer, 'ownHeaders' | 'hides'>,
): string[] {
  const { exchange, user } = context;
  const sent = forwardedClientHeaders(context);
  const trace = traceHeaders();
  const headers: string[] = trace === undefined ? [] : Object.entries(trace).flat();
  for (let at = 0; at + 1 < sent.length; at += 2) {
    const name = sent[at] ?? '';
    if (hides?.(name.toLowerCase()) === true || (trace !== undefined && isReplaced(name, trace))) continue;
    if (address === undefined || !isForwarded(name) || !overwritten.has(name.toLowerCase()))
      headers.push(name, sent[at + 1] ?? '');
  }
  headers.push('audit-id', context.auditId, 'x-forwarded-for', forwardedFor(exchange));
  if (address !== undefined)
    headers.push(
      'x-forwarded-uri',
      forwardedUri(context.info.path),
      'x-forwarded-host',
      address,
      'x-forwarded-proto',
      'https',
    );
  let identity = identities.get(user);
  if (identity === undefined) identities.set(user, (identity = remoteIdentity(user)));
  headers.push(...identity, ...ownHeaders);
  return headers;
}

/** Headers of the client that those of the own span replace. */
function isReplaced(name: string, { baggage }: PassedHeaders): boolean {
  const lower = name.toLowerCase();
  return lower === 'traceparent' || lower === 'tracestate' || (lower === 'baggage' && baggage !== undefined);
}

/** A cheap first test for names like `X-Forwarded-…`, so that other names need no lookup. */
function isForwarded(name: string): boolean {
  return name.length > 12 && (name.charCodeAt(0) | 0x20) === 0x78 && (name.charCodeAt(2) | 0x20) === 0x66;
}

/**
 * Path and query, encoded again from the decoded form that was authorized, as the reference sends them
 * (kube-aggregator/pkg/apiserver/handler_proxy.go).
 */
export function requestTarget({ exchange, info }: RequestContext): string {
  const path = encodePath(info.path);
  const query = encodeQuery(exchange.query);
  return query === '' ? path : `${path}?${query}`;
}

/**
 * The path for `X-Forwarded-Uri`, without doubled slashes and dot segments (apimachinery/pkg/util/proxy/transport.go).
 */
function forwardedUri(path: string): string {
  const escaped = encodePath(path);
  return /\/[./]/.test(escaped) ? posix.normalize(escaped) : escaped;
}
