import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Logger } from '#shared/observability/logger.ts';
import { requestScope } from '#shared/observability/request-scope.ts';
import type { Handler, RequestContext } from '#shared/request/request-context.ts';
import { withFaultScope } from './with-fault-scope.ts';

interface Served {
  readonly context: RequestContext;
  readonly logged: string[];
  /** The errors with which the request was answered. */
  readonly answered: unknown[];
  readonly close: () => void;
}

function serve(handler: Handler): Served {
  const logged: string[] = [];
  const answered: unknown[] = [];
  let close = (): void => undefined;
  const context = {
    exchange: { path: '/a', responded: false, onClose: (listener: () => void) => void (close = listener) },
  } as unknown as RequestContext;
  const logger = { error: (message: string) => void logged.push(message), info: () => undefined } as unknown as Logger;
  void withFaultScope((_context, error) => void answered.push(error), logger)(handler)(context);
  return { context, logged, answered, close: () => close() };
}

describe('withFaultScope', () => {
  test('gives each request a scope of its own, which its timers and promises keep', async () => {
    const scopes: unknown[] = [];
    const later = Promise.withResolvers<void>();
    serve(() => {
      scopes.push(requestScope());
      setTimeout(() => later.resolve(void scopes.push(requestScope())));
    });
    serve(() => void scopes.push(requestScope()));
    await later.promise;
    const [first, second, timer] = scopes;
    assert.ok(first !== undefined && second !== undefined);
    assert.notEqual(first, second);
    assert.equal(timer, first);
    assert.equal(requestScope(), undefined);
  });

  test('answers a request with the fault of its scope', () => {
    const fault = new Error('in a timer');
    let scope: ReturnType<typeof requestScope>;
    const { answered, logged } = serve(() => void (scope = requestScope()));
    scope?.fail(fault);
    assert.deepEqual(answered, [fault]);
    assert.deepEqual(logged, ['request handler failed']);
  });

  test('only logs a fault after the end of the request', () => {
    let scope: ReturnType<typeof requestScope>;
    const { answered, logged, close } = serve(() => void (scope = requestScope()));
    close();
    scope?.fail(new Error('late'));
    assert.deepEqual(answered, []);
    assert.deepEqual(logged, ['what a request led to failed']);
  });
});
