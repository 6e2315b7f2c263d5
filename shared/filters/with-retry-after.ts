import type { Filter } from '../request/request-context.ts';
import { headerValue } from '../request/header-values.ts';
import { plainText } from './filter-tools.ts';

const exemptPrefixes = ['/readyz', '/livez', '/healthz', '/metrics'];

/** While the server ends, new requests are sent elsewhere; its own loopback and health checks are not. */
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
