import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InFlightRequests } from '#shared/filters/in-flight.ts';
import { createLogger } from '#shared/observability/logger.ts';
import { Lifecycle } from './lifecycle.ts';
import { resolveServerOptions } from './options/server-options.ts';
import type { PreShutdownHooks } from './pre-shutdown-hooks.ts';
import { shutDown } from './shut-down.ts';

/** Ends a server that has these hooks. @returns what happened, in order */
function end(preShutdownHooks: PreShutdownHooks) {
  const events: string[] = [];
  const write = (line: string): void => {
    events.push(/name="?(\w+)/.exec(line)?.[1] ?? line);
  };
  const ended = shutDown({
    options: resolveServerOptions({}),
    lifecycle: new Lifecycle('test', createLogger({ level: 1, format: 'text', write })),
    inFlight: new InFlightRequests(() => undefined),
    listeners: [],
    preShutdownHooks,
    onHookFailure: (hook, error) => void events.push(`${hook}: ${(error as Error).message}`),
  });
  return { events, ended };
}

describe('pre-shutdown hooks', () => {
  test('a hook under way, holds back the end of acceptance', async () => {
    const hook = Promise.withResolvers<void>();
    const { events, ended } = end({ slow: () => hook.promise });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(events, ['ShutdownInitiated', 'AfterShutdownDelayDuration']);
    hook.resolve();
    await ended;
    assert.deepEqual(events.slice(2, 5), [
      'PreShutdownHooksStopped',
      'NotAcceptingNewRequest',
      'InFlightRequestsDrained',
    ]);
  });

  test('a hook that fails, is reported and delays neither the others nor the shutdown', async () => {
    let ran = false;
    const { events, ended } = end({
      broken: () => Promise.reject(new Error('rejected')),
      thrown: () => {
        throw new Error('thrown');
      },
      other: () => void (ran = true),
    });
    await ended;
    assert.ok(ran);
    assert.deepEqual(events.filter((event) => event.includes(':')).toSorted(), ['broken: rejected', 'thrown: thrown']);
    assert.equal(events.at(-1), 'ConnectionsClosed');
  });
});
