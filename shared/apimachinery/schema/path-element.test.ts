import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PathElement } from './path-element.ts';

describe('path element', () => {
  // As the reference prints them in fieldsV1.
  for (const [value, text] of [
    [1e-7, 'v:1e-07'],
    [-2.5e-9, 'v:-2.5e-09'],
    [1e-10, 'v:1e-10'],
    [0.000_001, 'v:0.000001'],
    [1e21, 'v:1e+21'],
    ['1e-7', 'v:"1e-7"'],
  ] as const)
    test(`of the value ${JSON.stringify(value)} is ${text}`, () => assert.equal(PathElement.value(value).text, text));

  test('of a key has two digits of an exponent, too', () =>
    assert.equal(PathElement.key([['k', 1e-7]]).text, 'k:{"k":1e-07}'));
});
