import type { Filter } from '../request/request-context.ts';
import type { Exchange } from '../request/exchange.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { isLongRunning } from './filter-tools.ts';

/** Reads the request line into {@link RequestInfo}; throws a StatusError for a path that cannot be read. */
export function withRequestInfo(parse: (exchange: Exchange) => RequestInfo): Filter {
  return (next) => (context) => {
    context.info = parse(context.exchange);
    context.longRunning = isLongRunning(context.info);
    return next(context);
  };
}
