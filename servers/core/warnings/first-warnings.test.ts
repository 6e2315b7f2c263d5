import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstWarnings } from './first-warnings.ts';

test('each warning comes once, in the order of the items', () => {
  assert.deepEqual(
    firstWarnings(['b', 'a', 'b', ''], (text, index) => (text === '' ? [`${index}`] : [text, 'c'])),
    ['b', 'c', 'a', '3'],
  );
});

test('items that no answer can show are not looked at', () => {
  let looked = 0;
  const texts = firstWarnings(Array<string>(1_000_000).fill(''), (_, index) => {
    looked++;
    return index % 2 === 0 ? [] : [`spec.imagePullSecrets[${index}].name: invalid empty name ""`];
  });
  assert.deepEqual([texts.length, looked], [128, 256]);
});

test('warnings that are equal, or that no header can hold, do not count', () => {
  const texts = firstWarnings(Array<string>(1_000).fill(''), (_, index) =>
    index < 900 ? ['the same', `${index}\u0007`] : [`${index}`],
  );
  assert.ok(texts.includes('999'));
});
