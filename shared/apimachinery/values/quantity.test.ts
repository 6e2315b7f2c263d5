import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listAt, objectAt } from '#shared/apimachinery/object.ts';
import { outcome, recordedAnswers, recordedInputs } from '#shared/apimachinery/testing/recorded-values.ts';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  equalsStoredQuantity,
  parseQuantity,
  quantityAsInt64,
  quantityToNumber,
  quantityValue,
  subtractQuantities,
} from './quantity.ts';

describe('quantities', () => {
  listAt(recordedInputs, 'quantities').forEach((input, i) => {
    const text = String(input);
    const wanted = objectAt(listAt(recordedAnswers, 'quantities')[i]) ?? {};
    const refuses = Object.hasOwn(wanted, 'error');
    test(`${refuses ? 'rejects' : 'reads'} ${JSON.stringify(text)} as the reference does`, () => {
      if (refuses) {
        assert.deepEqual(
          outcome(() => formatQuantity(parseQuantity(text))),
          wanted,
        );
        return;
      }
      const { text: _kept, ...quantity } = parseQuantity(text);
      const whole = quantityAsInt64(quantity);
      assert.deepEqual(
        {
          text: canonicalQuantity(text),
          canonical: formatQuantity(quantity),
          value: `${quantityValue(quantity)}`,
          milli: `${quantityValue(quantity, -3)}`,
          int64: `${whole ?? 0n}`,
          isInt64: whole !== undefined,
          float: quantityToNumber(quantity),
        },
        { ...wanted },
      );
    });
  });

  listAt(recordedInputs, 'quantityPairs').forEach((pair, i) => {
    test(`compares, adds and subtracts ${listAt(pair).join(' and ')} as the reference does`, () => {
      const [a, b] = listAt(pair).map((text) => parseQuantity(String(text)));
      assert.ok(a !== undefined && b !== undefined);
      assert.deepEqual(
        {
          compare: Math.sign(compareQuantities(a, b)),
          sum: formatQuantity(addQuantities(a, b)),
          difference: formatQuantity(subtractQuantities(a, b)),
        },
        listAt(recordedAnswers, 'quantityPairs')[i],
      );
    });
  });
});

/**
 * As `reflect.DeepEqual` of the reference tells what a client sent from what is stored; seen in
 * test/conformance/series/atomic-lists.ts.
 */
const storedSpellings: readonly (readonly [text: string, canonical: string, byPointer: boolean, inMap: boolean])[] = [
  ['1', '1', true, true],
  ['1Gi', '1Gi', true, true],
  ['1k', '1k', true, true],
  ['0', '0', true, true],
  ['1000m', '1', false, false],
  ['1024Mi', '1Gi', false, false],
  ['1.0Gi', '1Gi', false, false],
  ['1000', '1k', false, false],
  ['0m', '0', false, false],
  // Their text is kept only once they were printed, and what a map holds is printed as a copy.
  ['512Mi', '512Mi', false, true],
  ['8Gi', '8Gi', false, true],
  ['08Ki', '8Ki', false, true],
];

describe('equalsStoredQuantity', () => {
  for (const [text, canonical, byPointer, inMap] of storedSpellings)
    test(`tells whether ${text} equals the stored ${canonical} for reflect.DeepEqual`, () => {
      assert.equal(equalsStoredQuantity(text, canonical, false), byPointer, 'behind a pointer');
      assert.equal(equalsStoredQuantity(text, canonical, true), inMap, 'in a map');
    });
});
