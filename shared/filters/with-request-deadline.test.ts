import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test("a request has the server's time, or its own where that is shorter", () => {
  assert.equal(deadlineOf(''), 61_000);
  assert.equal(deadlineOf('timeout=5s'), 6_000);
  assert.equal(deadlineOf('timeout=2m'), 61_000);
  assert.equal(deadlineOf('timeout='), 61_000);
  assert.equal(deadlineOf('timeout=0s'), 61_000);
});

test('watches and streams have none', () => {
  assert.equal(deadlineOf('timeout=5s', true), undefined);
});

test('a timeout that is no duration is a 400', () => {
  assert.throws(
    () => deadlineOf('timeout=soon'),
    // apiserver/pkg/endpoints/filters/request_deadline.go
    ({ status }: StatusError) =>
      status.code === 400 &&
      status.message === 'invalid timeout specified in the request URL - time: invalid duration "soon"',
  );
});
