import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { printFamilies } from '#shared/observability/exposition/testing/print-families.ts';
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
});
