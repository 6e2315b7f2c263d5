import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { printFamilies } from '#shared/observability/exposition/testing/print-families.ts';
import { quantileOf, Summary } from './summary.ts';

describe('Summary', () => {
  test('tells quantiles within 5 %, and NaN once all observations are too old', () => {
    let nowMs = 0;
    const clock = mock.method(performance, 'now', () => nowMs);
    try {
      const seconds = new Summary('wait_seconds', 'help', ['type'], 1000);
      for (let value = 1; value <= 1000; value++) seconds.of('a').observe(value / 1000);
      const quantiles = [0.5, 0.9, 0.99];
      const shown = quantiles.map((quantile) => quantileOf(seconds.of('a').native, quantile));
      for (const [at, quantile] of quantiles.entries())
        assert.ok(Math.abs((shown[at] ?? 0) / quantile - 1) < 0.05, `${shown[at]} for ${quantile}`);
      nowMs = 1000;
      assert.equal(
        printFamilies([seconds]),
        [
          '# HELP wait_seconds help',
          '# TYPE wait_seconds summary',
          'wait_seconds{type="a",quantile="0.5"} NaN',
          'wait_seconds{type="a",quantile="0.9"} NaN',
          'wait_seconds{type="a",quantile="0.99"} NaN',
          'wait_seconds_sum{type="a"} 500.5',
          'wait_seconds_count{type="a"} 1000',
          '',
        ].join('\n'),
      );
    } finally {
      clock.mock.restore();
    }
  });

  test('tells zero where most observations are zero', () => {
    const seconds = new Summary('wait_seconds', 'help', [], 1000);
    for (const value of [0, 0, 0, 1]) seconds.of().observe(value);
    assert.equal(quantileOf(seconds.of().native, 0.5), 0);
    assert.ok(quantileOf(seconds.of().native, 0.99) > 0.95);
  });
});
