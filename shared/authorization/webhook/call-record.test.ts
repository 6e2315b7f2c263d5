import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newGenericServerResponse } from '#shared/apimachinery/errors/status.ts';
import { AuthorizationMetrics } from '#shared/authorization/metrics/authorization-metrics.ts';
import { sampleLines } from '#shared/observability/exposition/testing/sample-lines.ts';
import { CallRecord } from './call-record.ts';

/** The results that are counted, and those that failed open. */
function counted(use: (record: CallRecord, ending: AbortController) => void): readonly string[] {
  const metrics = new AuthorizationMetrics();
  const ending = new AbortController();
  use(new CallRecord('w', metrics, ending.signal), ending);
  return metrics
    .families()
    .flatMap((family) => sampleLines(family))
    .filter((line) => line.includes('_total'))
    .map((line) => line.replace(/^apiserver_authorization_webhook_evaluations_|name="w",/g, ''));
}

// Results as webhook.go of plugin/pkg/authorizer tells them apart.
describe('CallRecord', () => {
  test('counts each attempt by its result, and what failed open by the last one', () => {
    const lines = counted((record) => {
      record.attempted(0, new Error('connection refused'));
      record.attempted(0, new Error('Post "x": context deadline exceeded'));
      record.attempted(0, newGenericServerResponse(504, ''));
      record.failedOpen();
    });
    assert.deepEqual(lines, [
      'total{result="error"} 1',
      'total{result="timeout"} 2',
      'fail_open_total{result="timeout"} 1',
    ]);
  });

  test('counts an answer that cannot be read as an error', () => {
    const lines = counted((record) => {
      record.attempted(0, undefined);
      assert.throws(() =>
        record.read(() => {
          throw new Error('no review');
        }),
      );
    });
    assert.deepEqual(lines, ['total{result="error"} 1']);
  });

  test('counts calls that nobody waits for apart, which do not fail open', () => {
    const lines = counted((record, ending) => {
      ending.abort();
      record.attempted(0, new Error('aborted'));
      record.failedOpen();
    });
    assert.deepEqual(lines, ['total{result="canceled"} 1']);
  });
});
