import type { Exchange } from '#shared/request/exchange.ts';
import { RequestInfoError } from '#shared/request/parse-request-info.ts';
import type { Filter } from '#shared/request/request-context.ts';
import type { RequestInfo } from '#shared/request/request-info.ts';
import { isLongRunning, requestUri, sendInternalError } from './filter-tools.ts';

/**
 * Reads the request line into {@link RequestInfo}. A path that cannot be parsed into a request is answered with the
 * reference's InternalError; one that cannot be decoded was refused before this chain.
 */
export function withRequestInfo(parse: (exchange: Exchange) => RequestInfo): Filter {
  return (next) => (context) => {
    const { exchange } = context;
    try {
      context.info = parse(exchange);
    } catch (error) {
      if (!(error instanceof RequestInfoError)) throw error;
      sendInternalError(exchange, `failed to create RequestInfo: ${error.message}, ${requestUri(exchange)}`);
      return undefined;
    }
    context.longRunning = isLongRunning(context.info);
    return next(context);
  };
}
