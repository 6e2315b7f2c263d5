import { StatusError } from '../apimachinery/status.ts';
import type { Logger } from '../observability/logger.ts';
import type { Filter, RequestContext } from '../request/request-context.ts';
import type { ErrorWriter } from './filter-tools.ts';

/**
 * Whatever a handler throws becomes a Status, so that no request can end the process. What comes after the answer
 * (a handler that learns late that its time was over) is only logged.
 */
export function withPanicRecovery(writeError: ErrorWriter, logger: Logger): Filter {
  const recover = (context: RequestContext, error: unknown): void => {
    const { exchange } = context;
    if (!(error instanceof StatusError)) {
      const late = exchange.responded && (context.deadlineMs ?? Infinity) <= Date.now();
      if (late) logger.info(4, 'Post-timeout activity', { path: exchange.path, auditID: context.auditId });
      else logger.error('request handler failed', error, { method: exchange.method, path: exchange.path, auditID: context.auditId, stack: error instanceof Error ? error.stack : undefined });
    }
    if (exchange.responded) return;
    try {
      writeError(context, error);
    } catch (second) {
      logger.error('cannot answer with an error', second, { path: exchange.path, auditID: context.auditId });
      if (!exchange.responded) exchange.send(500, {});
    }
  };
  return (next) => (context) => {
    try {
      const pending = next(context);
      if (pending !== undefined) return pending.catch((error: unknown) => recover(context, error));
    } catch (error) {
      recover(context, error);
    }
  };
}
