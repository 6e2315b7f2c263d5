import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeContinue, encodeContinue } from './continue-token.ts';

const token = (text: string): string => Buffer.from(text).toString('base64url');

test('a token leads to the key after the last one', () => {
  assert.deepEqual(decodeContinue(encodeContinue('/configmaps/a/b', '/configmaps/', 7)), {
    revision: 7,
    startKey: 'a/b\0',
  });
});

test('a token cannot climb out of its prefix', () => {
  for (const start of ['../secrets/a', 'a/../../b', './a', 'a//b']) {
    assert.throws(
      () => decodeContinue(token(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start }))),
      /continue key is not valid/,
      start,
    );
  }
});

test('broken tokens are refused in the words of the reference', () => {
  assert.throws(
    () => decodeContinue('eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MCwic3RhcnQiOiJ4In0'),
    /incorrect encoded start resourceVersion \(version meta\.k8s\.io\/v1\)$/,
  );
  assert.throws(
    () => decodeContinue('eyJ2IjoibWV0YS5rOHMuaW8vdjIiLCJydiI6MSwic3RhcnQiOiJ4XHUwMDAwIn0'),
    /server does not recognize this encoded version meta\.k8s\.io\/v2$/,
  );
  assert.throws(
    () => decodeContinue('garbage'),
    /invalid continue token: continue key is not valid: invalid character/,
  );
});
