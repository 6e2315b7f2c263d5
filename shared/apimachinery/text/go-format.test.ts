import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listAt } from '#shared/apimachinery/object.ts';
import { recordedAnswers, recordedInputs } from '#shared/apimachinery/testing/recorded-values.ts';
import { compareUtf8, goQuote, goTypeName } from './go-format.ts';

describe('goQuote', () => {
  listAt(recordedInputs, 'quoted').forEach((input, i) => {
    test(`quotes ${JSON.stringify(input)} as the reference does`, () =>
      assert.equal(goQuote(String(input)), listAt(recordedAnswers, 'quoted')[i]));
  });
});

describe('compareUtf8', () => {
  test('sorts strings by their UTF-8 bytes', () => {
    assert.deepEqual(['\u{1f600}', '\uffff', 'a', 'B', 'ab'].sort(compareUtf8), [
      'B',
      'a',
      'ab',
      '\uffff',
      '\u{1f600}',
    ]);
  });
});

describe('goTypeName', () => {
  test('is float64 for numbers that int64 does not hold', () =>
    assert.deepEqual([1, 2n ** 63n - 1n, 0.5, 1e20, 2n ** 63n].map(goTypeName), [
      'int64',
      'int64',
      'float64',
      'float64',
      'float64',
    ]));
});
