import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { applyJsonPatch, checkJsonPatch, decodeJsonPatch } from './json-patch.ts';

describe('checkJsonPatch', () => {
  test('rejects an operation whose op is not a string', () => {
    assert.throws(() => checkJsonPatch([{ op: 1 }]), {
      message: 'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
    });
  });
});

// The limits of kube-apiserver: MaxJSONPatchOperations 10000 and JSONPatchMaxCopyBytes 3 MiB.
describe('decodeJsonPatch', () => {
  test('accepts 10,000 operations and rejects one more with 413', () => {
    const operations = (count: number) => Array.from({ length: count }, () => ({ op: 'remove', path: '/a' }));
    assert.equal(decodeJsonPatch(operations(10_000)).length, 10_000);
    assert.throws(
      () => decodeJsonPatch(operations(10_001)),
      (error) =>
        error instanceof StatusError &&
        error.code === 413 &&
        error.message.includes('The allowed maximum operations in a JSON patch is 10000, got 10001'),
    );
  });
});

describe('applyJsonPatch', () => {
  const copyTwice = [
    { op: 'copy', from: '/a', path: '/b' },
    { op: 'copy', from: '/a', path: '/c' },
  ];
  const documentOf = (bytes: number) => ({ a: 'x'.repeat(bytes - 2) });

  test('copies 3 MiB in all', () => {
    const { value } = atOnce(applyJsonPatch(documentOf(1_572_864), copyTwice));
    assert.deepEqual(Object.keys(value as object), ['a', 'b', 'c']);
  });

  test('rejects copies of more than 3 MiB in all', () =>
    assert.throws(() => atOnce(applyJsonPatch(documentOf(1_572_865), copyTwice)), {
      message:
        'Unable to complete the copy, the accumulated size increase of copy is 3145730, exceeding the limit 3145728',
    }));
});
