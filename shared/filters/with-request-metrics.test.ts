import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequestContext } from '#shared/request/request-context.ts';
import { withRequestMetrics } from './with-request-metrics.ts';

describe('withRequestMetrics', () => {
  test('records a request when its exchange closes, and not before', () => {
    const recorded: RequestContext[] = [];
    let close = (): void => undefined;
    let isHandled = false;
    const context = {
      exchange: { onClose: (listener: () => void) => void (close = listener) },
    } as unknown as RequestContext;
    const filter = withRequestMetrics({ begin: () => undefined, record: (one) => void recorded.push(one) });
    void filter(() => void (isHandled = true))(context);
    assert.deepEqual([isHandled, recorded], [true, []]);
    close();
    assert.deepEqual(recorded, [context]);
  });

  test('records a request whose handler throws', () => {
    const recorded: RequestContext[] = [];
    let close = (): void => undefined;
    const context = {
      exchange: { onClose: (listener: () => void) => void (close = listener) },
    } as unknown as RequestContext;
    const handler = withRequestMetrics({ begin: () => undefined, record: (one) => void recorded.push(one) })(() => {
      throw new Error('broken');
    });
    assert.throws(() => void handler(context), /broken/);
    close();
    assert.equal(recorded.length, 1);
  });
});
