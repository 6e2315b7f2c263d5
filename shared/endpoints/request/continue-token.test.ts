import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeContinue, encodeContinue } from './continue-token.ts';

const token = (text: string): string => Buffer.from(text).toString('base64url');

describe('decodeContinue', () => {
  test('returns the revision and the key after the last one', () => {
    assert.deepEqual(decodeContinue(encodeContinue('/configmaps/a/b', '/configmaps/', 7)), {
      revision: 7,
      startKey: 'a/b\0',
    });
  });

  test('throws for a start key that leaves its prefix', () => {
    for (const start of ['../secrets/a', 'a/../../b', './a', 'a//b']) {
      assert.throws(
        () => decodeContinue(token(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start }))),
        /continue key is not valid/,
        start,
      );
    }
  });

  test("throws the reference's message for a malformed token", () => {
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
});
