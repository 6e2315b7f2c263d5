import { AsyncLocalStorage } from 'node:async_hooks';
import { sayOfProcess } from './process-lines.ts';

/** What may be done with the request on whose behalf something runs, when that something fails. */
export interface FaultScope {
  /** Answers the request with an error where it still can be answered, and logs. Must not throw. */
  fail(error: unknown): void;
}

/**
 * On whose behalf code runs. Node carries it through timers, promises and events; what a listener was opened in holds
 * for all its connections. It tells a fault that a request caused from one of the process itself.
 */
const scopes = new AsyncLocalStorage<FaultScope>();

export function runInRequestScope<Result>(scope: FaultScope, work: () => Result): Result {
  return scopes.run(scope, work);
}

/** Some request, of which nothing more is known. */
const anyRequest: FaultScope = {
  fail: (error) =>
    sayOfProcess(
      `what a request led to failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    ),
};

/** Opens what many requests share, such as a connection to a backend: what happens on it happens because of them. */
export function onBehalfOfRequests<Result>(work: () => Result): Result {
  return scopes.run(anyRequest, work);
}

/** Undefined for what the process does by itself. */
export function requestScope(): FaultScope | undefined {
  return scopes.getStore();
}

/**
 * Runs what outlives the request that needed it first, such as a watch cache: when that fails later, no answer is
 * concerned, and going on without it would be wrong.
 */
export function outsideRequests<Result>(work: () => Result): Result {
  return scopes.exit(work);
}
