import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstWarnings } from './first-warnings.ts';

describe('firstWarnings', () => {
  test('returns each warning once in the order of the items', () => {
    assert.deepEqual(
      firstWarnings(['b', 'a', 'b', ''], (text, index) => (text === '' ? [`${index}`] : [text, 'c'])),
      ['b', 'c', 'a', '3'],
    );
  });

  test('stops after the warnings that fit into a response', () => {
    let looked = 0;
    const texts = firstWarnings(Array<string>(1_000_000).fill(''), (_, index) => {
      looked++;
      return index % 2 === 0 ? [] : [`spec.imagePullSecrets[${index}].name: invalid empty name ""`];
    });
    assert.deepEqual([texts.length, looked], [128, 256]);
  });

  test('skips duplicate warnings and warnings that are not valid in a header', () => {
    const texts = firstWarnings(Array<string>(1_000).fill(''), (_, index) =>
      index < 900 ? ['the same', `${index}\u0007`] : [`${index}`],
    );
    assert.ok(texts.includes('999'));
  });
});
