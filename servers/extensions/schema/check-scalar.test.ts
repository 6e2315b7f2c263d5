import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isLongerThan } from './check-scalar.ts';

describe('isLongerThan', () => {
  test('counts characters instead of UTF-16 units', () => {
    for (const text of [
      '',
      'a',
      'ab',
      'é€',
      '\u{1f600}',
      'a\u{1f600}b',
      '\u{1f600}'.repeat(5),
      '\ud83d',
      '\ude00\ud83d',
    ])
      for (let limit = -1; limit < 12; limit++)
        assert.equal(isLongerThan(text, limit), Array.from(text).length > limit, `${JSON.stringify(text)} ${limit}`);
  });
});
