import type { ErrorWriter } from '#shared/filters/filter-tools.ts';
import { recoverFrom } from '#shared/filters/with-panic-recovery.ts';
import type { Logger } from '#shared/observability/logger.ts';
import { runInRequestScope, type FaultScope } from '#shared/observability/request-scope.ts';
import type { Handler, RequestContext } from '#shared/request/request-context.ts';

/**
 * Serves a request in a scope of its own, so that errors in its timers, promises and events are answered as errors of
 * this request.
 */
export function serveInScope(context: RequestContext, chain: Handler, writeError: ErrorWriter, logger: Logger): void {
  const scope = new ServedRequest(context, writeError, logger);
  context.exchange.onClose(() => scope.over());
  runInRequestScope(scope, () => {
    try {
      chain(context)?.catch((error: unknown) => scope.fail(error));
    } catch (error) {
      scope.fail(error);
    }
  });
}

/**
 * The scope of a connection outside of a known request: errors are only logged, since there is no request to answer.
 */
export function connectionScope(logger: Logger): FaultScope {
  return { fail: (error) => logFault(logger, error) };
}

class ServedRequest implements FaultScope {
  /**
   * Undefined after the end of the request: a shared connection that the request opened keeps the scope for as long as
   * it is open.
   */
  #context: RequestContext | undefined;
  readonly #writeError: ErrorWriter;
  readonly #logger: Logger;

  constructor(context: RequestContext, writeError: ErrorWriter, logger: Logger) {
    this.#context = context;
    this.#writeError = writeError;
    this.#logger = logger;
  }

  over(): void {
    this.#context = undefined;
  }

  fail(error: unknown): void {
    const context = this.#context;
    if (context === undefined) return logFault(this.#logger, error);
    recoverFrom(context, error, this.#writeError, this.#logger);
  }
}

function logFault(logger: Logger, error: unknown): void {
  logger.error('what a request led to failed', error, { stack: error instanceof Error ? error.stack : undefined });
}
