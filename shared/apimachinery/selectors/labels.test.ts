import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { testRecordedSection } from '#shared/apimachinery/testing/recorded-values.ts';
import {
  formatLabelSelector,
  labelSelectorAsSelector,
  matchesLabels,
  NOTHING,
  parseLabelSelector,
  type LabelSelector,
} from './labels.ts';

const parse = (text: string): LabelSelector => atOnce(parseLabelSelector(text));
const labels = { a: '1', b: 'x' };

describe('parseLabelSelector and formatLabelSelector', () =>
  testRecordedSection('labelSelectors', (input) => formatLabelSelector(parse(String(input)))));

describe('matchesLabels', () => {
  for (const text of ['a=1', 'a in (1,2)', 'b!=y', '!c', 'a>0,a<2', 'c notin (x)', ''])
    test(`selects the labels a=1 and b=x by ${JSON.stringify(text)}`, () =>
      assert.ok(matchesLabels(parse(text), labels)));

  for (const text of ['a=2', 'constructor', '!a', 'b>0', 'c='])
    test(`does not select the labels a=1 and b=x by ${JSON.stringify(text)}`, () =>
      assert.ok(!matchesLabels(parse(text), labels)));

  test('selects nothing by NOTHING', () => assert.ok(!matchesLabels(NOTHING, labels)));
});

describe('labelSelectorAsSelector', () => {
  test('selects nothing when there is no selector, and everything when it is empty', () => {
    assert.ok(!matchesLabels(labelSelectorAsSelector(undefined), labels));
    assert.ok(matchesLabels(labelSelectorAsSelector({}), labels));
  });

  test('rejects the operator In without values', () => {
    assert.throws(() => labelSelectorAsSelector({ matchExpressions: [{ key: 'a', operator: 'In' }] }), {
      message: "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    });
  });
});
