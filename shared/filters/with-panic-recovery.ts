import { StatusError } from '../apimachinery/status.ts';
import type { Logger } from '../observability/logger.ts';
import type { Filter, RequestContext } from '../request/request-context.ts';
import type { ErrorWriter } from './filter-tools.ts';

/**
 * Turns what a request's handler threw into a Status. After the answer (a handler that learns late that its time was
 * over) it is only logged; an answer that was begun is broken off. Never throws itself.
 */
export function recoverFrom(context: RequestContext, error: unknown, writeError: ErrorWriter, logger: Logger): void {
  const { exchange } = context;
  if (!(error instanceof StatusError)) {
    const late = exchange.responded && (context.deadlineMs ?? Infinity) <= Date.now();
    if (late) logger.info(4, 'Post-timeout activity', { path: exchange.path, auditID: context.auditId });
    else
      logger.error('request handler failed', error, {
        method: exchange.method,
        path: exchange.path,
        auditID: context.auditId,
        stack: error instanceof Error ? error.stack : undefined,
      });
  }
  // The answer has begun already and cannot be completed.
  if (exchange.responded) return exchange.abandon();
  try {
    writeError(context, error);
  } catch (second) {
    logger.error('cannot answer with an error', second, { path: exchange.path, auditID: context.auditId });
    exchange.abandon();
  }
}

/** No request can end the process: whatever a handler throws is its answer. */
export function withPanicRecovery(writeError: ErrorWriter, logger: Logger): Filter {
  return (next) => (context) => {
    try {
      const pending = next(context);
      if (pending !== undefined)
        return pending.catch((error: unknown) => recoverFrom(context, error, writeError, logger));
    } catch (error) {
      recoverFrom(context, error, writeError, logger);
    }
  };
}
