import { headerValue } from '#shared/request/header-values.ts';
import type { Filter } from '#shared/request/request-context.ts';
import { plainText } from './filter-tools.ts';

const exemptPrefixes = ['/readyz', '/livez', '/healthz', '/metrics'];

/**
 * During shutdown, answers new requests with a 429 and Retry-After, except health checks, metrics and kube-apiserver
 * clients.
 */
export function withRetryAfter(notAccepting: () => boolean): Filter {
  return (next) => (context) => {
    const { exchange, info } = context;
    if (!notAccepting() || headerValue(exchange, 'user-agent').startsWith('kube-apiserver/')) return next(context);
    if (exemptPrefixes.some((prefix) => info.path.startsWith(prefix))) return next(context);
    exchange.send(
      429,
      { ...plainText, connection: 'close', 'retry-after': '5' },
      'The apiserver is shutting down, please try again later.\n',
    );
  };
}
