import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StatusError } from '#shared/apimachinery/errors/status.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { withRequestDeadline } from './with-request-deadline.ts';

function deadlineOf(query: string, longRunning = false): number | undefined {
  const context = {
    receivedAtMs: 1_000,
    longRunning,
    exchange: { query },
    info: { query: new URLSearchParams(query) },
  } as unknown as RequestContext;
  void withRequestDeadline(60_000)(() => undefined)(context);
  return context.deadlineMs;
}

describe('withRequestDeadline', () => {
  test("sets the deadline to the shorter of the server's timeout and the timeout parameter", () => {
    assert.equal(deadlineOf(''), 61_000);
    assert.equal(deadlineOf('timeout=5s'), 6_000);
    assert.equal(deadlineOf('timeout=2m'), 61_000);
    assert.equal(deadlineOf('timeout='), 61_000);
    assert.equal(deadlineOf('timeout=0s'), 61_000);
  });

  test('sets no deadline for long-running requests', () => {
    assert.equal(deadlineOf('timeout=5s', true), undefined);
  });

  test('throws 400 for a timeout that is not a duration', () => {
    assert.throws(
      () => deadlineOf('timeout=soon'),
      // apiserver/pkg/endpoints/filters/request_deadline.go
      ({ status }: StatusError) =>
        status.code === 400 &&
        status.message === 'invalid timeout specified in the request URL - time: invalid duration "soon"',
    );
  });
});
