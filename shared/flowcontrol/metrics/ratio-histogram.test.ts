import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '#shared/flowcontrol/testing/manual-clock.ts';
import { RatioHistogram } from './ratio-histogram.ts';

test('RatioHistogram counts for how many nanoseconds the ratio was in which bucket', () => {
  const clock = new ManualClock();
  const histogram = new RatioHistogram({ name: 'a', help: '', labelNames: ['level'] }, [0, 0.5, 1], clock);
  const gauge = histogram.gauge('one');
  gauge.setDenominator(4);
  clock.moveTo(10);
  gauge.add(2);
  clock.moveTo(30);
  gauge.add(6);
  clock.moveTo(35);
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
