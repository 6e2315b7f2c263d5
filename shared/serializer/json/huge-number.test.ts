import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findHugeNumber } from './huge-number.ts';

describe('findHugeNumber', () => {
  test('finds numbers beyond float64, but not in strings', () => {
    assert.equal(findHugeNumber('{"a":[1e308,"1e400"],"b":-1e400,"c":1E+999}'), '-1e400');
    assert.equal(findHugeNumber(`[${'9'.repeat(400)}]`), '9'.repeat(400));
    for (const text of ['{"a":1e308}', '{"a":"\\"1e400"}', '[1e-400]', `["${'9'.repeat(400)}"]`, '{"a":1}'])
      assert.equal(findHugeNumber(text), undefined);
  });
});
