import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from './logger.ts';
import { MetricsRegistry } from './metrics.ts';

const now = (): Date => new Date(2026, 10, 21, 3, 25, 27, 123);

test('text lines have the form of klog, and levels above -v are left out', () => {
  let text = '';
  const logger = createLogger({ level: 2, format: 'text', write: (line) => (text += line), now });
  logger.info(3, 'not this');
  logger.info(2, 'Forbidden', { URI: '/api', code: 403, gone: undefined });
  logger.error('failed "badly"', new Error('boom'));
  const pid = String(process.pid).padStart(7);
  assert.equal(
    text,
    `I1121 03:25:27.123000 ${pid} quarterdeck] "Forbidden" URI="/api" code=403\nE1121 03:25:27.123000 ${pid} quarterdeck] "failed \\"badly\\"" err="boom"\n`,
  );
});

test('JSON lines hold time, level and fields', () => {
  let text = '';
  createLogger({ level: 0, format: 'json', write: (line) => (text += line), now }).info(0, 'hello', { a: 'b' });
  assert.deepEqual(JSON.parse(text), { ts: now().getTime(), caller: 'quarterdeck', msg: 'hello', v: 0, a: 'b' });
});

test('metrics are printed in the text form of Prometheus', () => {
  const registry = new MetricsRegistry();
  const requests = registry.counter('requests_total', 'Requests.', ['verb', 'code']);
  requests.add('GET', '200');
  requests.add('GET', '200');
  const seconds = registry.histogram('duration_seconds', 'Time.', [], [0.1, 1]);
  seconds.observe(0.05);
  seconds.observe(5);
  assert.equal(
    registry.print(),
    [
      '# HELP duration_seconds Time.',
      '# TYPE duration_seconds histogram',
      'duration_seconds_bucket{le="0.1"} 1',
      'duration_seconds_bucket{le="1"} 1',
      'duration_seconds_bucket{le="+Inf"} 2',
      'duration_seconds_sum 5.05',
      'duration_seconds_count 2',
      '# HELP requests_total Requests.',
      '# TYPE requests_total counter',
      'requests_total{verb="GET",code="200"} 2',
      '',
    ].join('\n'),
  );
});
