import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exposedLabels, samplesRead } from './dashboard-expressions.ts';

describe('samplesRead', () => {
  test('finds names with the labels of matchers and lists, and no functions or strings', () => {
    const expression = 'topk(2, sum by (a, b) (rate(x_total{c=~"y{z}|w", d!="e"}[5m]) / on (f) g:h)) or vector(0)';
    assert.deepEqual(samplesRead(expression), [
      { name: 'x_total', labels: ['c', 'd', 'a', 'b', 'f'] },
      { name: 'g:h', labels: ['a', 'b', 'f'] },
    ]);
  });
});

describe('exposedLabels', () => {
  test('finds the labels of all samples of a name', () => {
    const exposed = exposedLabels('# HELP a b\na{b="c,d=\\"e\\"",f=""} 1\na{g="1"} 2\nh 3\n');
    assert.deepEqual(
      [...exposed],
      [
        ['a', new Set(['b', 'f', 'g'])],
        ['h', new Set()],
      ],
    );
  });
});
