import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseRevision } from './revision.ts';

describe('parseRevision', () => {
  test("reads unsigned 64-bit numbers and rejects other text with strconv's message", () => {
    assert.deepEqual(['', '0', '00', '17', '9007199254740991'].map(parseRevision), [
      0,
      0,
      0,
      17,
      Number.MAX_SAFE_INTEGER,
    ]);
    assert.equal(typeof parseRevision('18446744073709551615'), 'number');
    assert.equal(
      parseRevision('18446744073709551616'),
      'strconv.ParseUint: parsing "18446744073709551616": value out of range',
    );
    for (const text of ['-1', '+1', '1.0', ' 1', '0x1', 'a'])
      assert.equal(parseRevision(text), `strconv.ParseUint: parsing "${text}": invalid syntax`);
  });
});
