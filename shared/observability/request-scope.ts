import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from './logger.ts';
import { printProcessLine } from './process-lines.ts';

/** Handles failures of code that runs on behalf of a request. */
export interface FaultScope {
  /** Logs the error, and answers the request with an error if it has no answer yet. Must not throw. */
  fail(error: unknown): void;
}

/**
 * The request on whose behalf code runs. Node.js passes it on through timers, promises and events; all connections of a
 * listener have the scope in which the listener was opened. It distinguishes failures that a request caused from those
 * of the process itself.
 */
const scopes = new AsyncLocalStorage<FaultScope>();

export function runInRequestScope<Result>(scope: FaultScope, work: () => Result): Result {
  return scopes.run(scope, work);
}

/** The scope of work that some unknown request caused. */
const anyRequest: FaultScope = {
  fail: (error) =>
    printProcessLine(
      `what a request led to failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    ),
};

/**
 * The scope of a connection outside of a known request: faults are only logged, since there is no request to answer.
 */
export function connectionScope(logger: Logger): FaultScope {
  return {
    fail: (error) =>
      logger.error('what a request led to failed', error, { stack: error instanceof Error ? error.stack : undefined }),
  };
}

/**
 * Runs work that opens something that many requests share, such as a connection to a backend: failures on it count as
 * caused by a request.
 */
export function onBehalfOfRequests<Result>(work: () => Result): Result {
  return scopes.run(anyRequest, work);
}

/** The scope of the running code; undefined for work of the process itself. */
export function requestScope(): FaultScope | undefined {
  return scopes.getStore();
}

/**
 * Runs work that outlives the request that started it, such as a watch cache: a later failure concerns no answer, and
 * the process must not continue without the result.
 */
export function outsideRequests<Result>(work: () => Result): Result {
  return scopes.exit(work);
}
