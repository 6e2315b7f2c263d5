import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gaugeFamily, type GaugeReset } from './gauge.ts';

const head = { name: 'size', help: 'help', labelNames: ['of'] };

/** A gauge of these values, and what it shows. */
function gauge(
  values: Record<string, number>,
  reset?: GaugeReset,
): { readonly reset: () => void; readonly shown: () => unknown } {
  const family = gaugeFamily(head, () => Object.entries(values).map(([label, value]) => [[label], value]), reset);
  return {
    reset: () => family.reset?.(),
    shown: () => Object.fromEntries([...family.samples()].map(({ labels, value }) => [labels[0], value])),
  };
}

describe('gaugeFamily', () => {
  test('hides series after a reset until their values are others', () => {
    const values: Record<string, number> = { a: 1, b: 2 };
    const { reset, shown } = gauge(values);
    assert.deepEqual(shown(), { a: 1, b: 2 });
    reset();
    assert.deepEqual(shown(), {});
    values['a'] = 5;
    values['c'] = 2;
    assert.deepEqual(shown(), { a: 5, c: 2 });
    values['a'] = 1;
    assert.deepEqual(shown(), { a: 1, c: 2 }, 'shown from its first change on');
    reset();
    assert.deepEqual(shown(), {});
  });

  test('hides series for a time where they are set again and again', (t) => {
    let nowMs = 0;
    t.mock.method(performance, 'now', () => nowMs);
    const { reset, shown } = gauge({ a: 1 }, 1_000);
    reset();
    nowMs = 999;
    assert.deepEqual(shown(), {});
    nowMs = 1_000;
    assert.deepEqual(shown(), { a: 1 });
  });

  test('keeps what is looked up, and gauges without labels, through a reset', () => {
    const { reset, shown } = gauge({ a: 1 }, 'never');
    reset();
    assert.deepEqual(shown(), { a: 1 });
    const plain = gaugeFamily({ ...head, labelNames: [] }, () => [[[], 3]]);
    plain.reset?.();
    assert.deepEqual([...plain.samples()], [{ labels: [], value: 3 }]);
  });
});
