import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { printFamilies } from '#shared/observability/exposition/testing/print-families.ts';
import { sampleLines } from '#shared/observability/exposition/testing/sample-lines.ts';
import { MetricsRegistry } from './registry.ts';

describe('MetricsRegistry', () => {
  test('prints metrics in the text form of Prometheus', () => {
    const registry = new MetricsRegistry();
    const requests = registry.counter('requests_total', 'Requests.', ['verb', 'code']);
    requests.add('GET', '200');
    requests.add('GET', '200');
    const seconds = registry.histogram('duration_seconds', 'Time.', [], [0.1, 1]);
    seconds.observe(0.05);
    seconds.observe(5);
    assert.equal(
      printFamilies(registry.families()),
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
        'requests_total{code="200",verb="GET"} 2',
        '',
      ].join('\n'),
    );
  });

  test('counts from zero on after a reset, without the labels of before, in cells that are held', () => {
    const registry = new MetricsRegistry();
    const requests = registry.counter('requests_total', 'Requests.', ['verb']);
    const seconds = registry.histogram('duration_seconds', 'Time.', ['verb'], [1]);
    const whole = registry.histogram('whole_seconds', 'Time.', [], [1]);
    const held = [requests.of('GET'), seconds.of('GET')] as const;
    for (const at of ['GET', 'PUT']) {
      requests.add(at);
      seconds.observe(0.5, at);
      whole.observe(0.5);
    }
    for (const family of registry.families()) family.reset?.();
    held[0].value++;
    held[1].observe(3);
    assert.deepEqual(sampleLines(...registry.families()), [
      'duration_seconds_bucket{verb="GET",le="1"} 0',
      'duration_seconds_bucket{verb="GET",le="+Inf"} 1',
      'duration_seconds_sum{verb="GET"} 3',
      'duration_seconds_count{verb="GET"} 1',
      'requests_total{verb="GET"} 1',
      'whole_seconds_bucket{le="1"} 2',
      'whole_seconds_bucket{le="+Inf"} 2',
      'whole_seconds_sum 1',
      'whole_seconds_count 2',
    ]);
  });
});
