import type { Logger } from '#shared/observability/logger.ts';
import { connectionScope, runInRequestScope, type FaultScope } from '#shared/observability/request-scope.ts';
import type { Filter, RequestContext } from '#shared/request/request-context.ts';
import type { ErrorWriter } from './filter-tools.ts';
import { recoverFrom } from './with-panic-recovery.ts';

/**
 * Serves each request in a scope of its own, so that uncaught faults in its timers, promises and events are answered as
 * errors of this request. Faults after its end are logged.
 */
export function withFaultScope(writeError: ErrorWriter, logger: Logger): Filter {
  const afterwards = connectionScope(logger);
  const recover = (context: RequestContext, error: unknown): void => recoverFrom(context, error, writeError, logger);
  return (next) => (context) => {
    const scope = new RequestFaults(context, recover, afterwards);
    context.exchange.onClose(() => scope.over());
    return runInRequestScope(scope, () => next(context));
  };
}

class RequestFaults implements FaultScope {
  /**
   * Undefined after the end of the request: a shared connection that the request opened keeps the scope for as long as
   * it is open.
   */
  #context: RequestContext | undefined;
  readonly #recover: (context: RequestContext, error: unknown) => void;
  readonly #afterwards: FaultScope;

  constructor(
    context: RequestContext,
    recover: (context: RequestContext, error: unknown) => void,
    afterwards: FaultScope,
  ) {
    this.#context = context;
    this.#recover = recover;
    this.#afterwards = afterwards;
  }

  over(): void {
    this.#context = undefined;
  }

  fail(error: unknown): void {
    if (this.#context === undefined) this.#afterwards.fail(error);
    else this.#recover(this.#context, error);
  }
}
