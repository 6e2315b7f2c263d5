import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHeldAsStored } from '#shared/apimachinery/values/quantity.ts';

/**
 * As `reflect.DeepEqual` of the reference tells what a client sent from what is stored; seen in
 * test/conformance/series/atomic-lists.ts.
 */
const cases: readonly (readonly [text: string, canonical: string, byPointer: boolean, inMap: boolean])[] = [
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

test('an amount is held as the stored one, or not', () => {
  for (const [text, canonical, byPointer, inMap] of cases) {
    assert.deepEqual(
      [isHeldAsStored(text, canonical, false), isHeldAsStored(text, canonical, true)],
      [byPointer, inMap],
      text,
    );
  }
});
