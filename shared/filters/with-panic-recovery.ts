import { StatusError } from '#shared/apimachinery/errors/status.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { Filter, RequestContext } from '#shared/request/request-context.ts';
import type { ErrorWriter } from './filter-tools.ts';

/**
 * Answers with a Status if a request's handler throws. If an answer has already begun, it is aborted instead; an error
 * after the deadline is logged as post-timeout activity. Never throws itself.
 */
export function recoverFrom(context: RequestContext, error: unknown, writeError: ErrorWriter, logger: Logger): void {
  const { exchange } = context;
  if (!(error instanceof StatusError)) {
    const isPostTimeout = exchange.responded && (context.deadlineMs ?? Infinity) <= performance.now();
    if (isPostTimeout) logger.info(4, 'Post-timeout activity', { path: exchange.path, auditID: context.auditId });
    else {
      context.audit?.notePanic(error instanceof Error ? error.message : String(error));
      logger.error('request handler failed', error, {
        method: exchange.method,
        path: exchange.path,
        auditID: context.auditId,
        stack: error instanceof Error ? error.stack : undefined,
      });
    }
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

/** No request can end the process: an error that a handler throws becomes the answer. */
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
