import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { countConformance } from '#shared/cel/testing/conformance.ts';

describe('CEL conformance', () => {
  test('plays all 2,344 recorded expressions in one of the folders', () =>
    assert.deepEqual(countConformance(), { played: 2344, recorded: 2344 }));
});
