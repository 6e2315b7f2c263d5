import { RE2JS } from 're2js';
import { headerValue } from '#shared/request/header-values.ts';
import type { Filter } from '#shared/request/request-context.ts';

const methods = 'POST, GET, OPTIONS, PUT, DELETE, PATCH';
const allowedHeaders =
  'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since';

const advice =
  'each expression matches the origin from its start, or from the // before the host (^ or //), to its end or the colon ' +
  'of its port ($ or :)';

/**
 * Errors in `--cors-allowed-origins`. An expression that matches somewhere within a host would allow the hosts of
 * others (CVE-2022-1996, apiserver/pkg/server/options/server_run_options.go).
 */
export function corsOriginErrors(originPatterns: readonly string[]): string[] {
  return originPatterns.flatMap((pattern) => {
    if (pattern === '') return [`empty value in --cors-allowed-origins, help: ${advice}`];
    const fault = originFault(pattern);
    if (fault === undefined) return [];
    return [`--cors-allowed-origins has an invalid regular expression: ${fault}, help: ${advice}`];
  });
}

function originFault(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
  } catch (error) {
    return (error as Error).message;
  }
  const isPinned = /\^|\/\//.test(pattern) && /[$:]/.test(pattern);
  return isPinned ? undefined : 'regular expression does not pin to start/end of host in the origin header';
}

/**
 * CORS for origins that match one of the regular expressions (Go syntax). The filter runs before authentication, since
 * preflight requests carry no credentials.
 */
export function withCors(originPatterns: readonly string[]): Filter | undefined {
  if (originPatterns.length === 0) return undefined;
  const patterns = originPatterns.map((pattern) => RE2JS.compile(pattern));
  return (next) => (context) => {
    const { exchange } = context;
    const origin = headerValue(exchange, 'origin');
    if (origin === '' || !patterns.some((pattern) => pattern.matcher(origin).find())) return next(context);
    exchange.setHeader('access-control-allow-origin', origin);
    exchange.setHeader('access-control-allow-methods', methods);
    exchange.setHeader('access-control-allow-headers', allowedHeaders);
    exchange.setHeader('access-control-expose-headers', 'Date');
    exchange.setHeader('access-control-allow-credentials', 'true');
    if (exchange.method === 'OPTIONS') exchange.send(204, {});
    else return next(context);
  };
}
