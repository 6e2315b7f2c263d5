import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RatioHistogram } from './ratio-histogram.ts';

test('RatioHistogram counts for how many nanoseconds the ratio was in which bucket', () => {
  let nowNs = 0;
  const histogram = new RatioHistogram({ name: 'a', help: '', labelNames: ['level'] }, [0, 0.5, 1], () => nowNs);
  const gauge = histogram.gauge('one');
  gauge.setDenominator(4);
  nowNs = 10;
  gauge.add(2);
  nowNs = 30;
  gauge.add(6);
  nowNs = 35;
  assert.deepEqual(
    [...histogram.samples()].map(({ labels }) => labels),
    [['one']],
  );
  assert.deepEqual([...gauge.counts], [10, 20, 0]);
  assert.equal(gauge.count, 35);
  assert.equal(gauge.sum, 20 * 0.5 + 5 * 2);
  histogram.forget(gauge);
  assert.deepEqual([...histogram.samples()], []);
});
