import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { limitRepeatedErrors } from './limit-repeated-errors.ts';

describe('limitRepeatedErrors', () => {
  test('repeats the same message only after the interval, but reports another at once', () => {
    const reported: string[] = [];
    let ms = 0;
    const tell = limitRepeatedErrors(
      (message, error) => reported.push(`${message}: ${String(error)}`),
      60_000,
      () => ms,
    );
    for (; ms < 120_000; ms += 200) tell('not written', 'full');
    tell('not written', 'gone');
    tell('not read', 'full');
    assert.deepEqual(reported, ['not written: full', 'not written: full', 'not written: gone', 'not read: full']);
  });
});
