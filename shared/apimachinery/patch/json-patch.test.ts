import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkJsonPatch } from './json-patch.ts';

describe('checkJsonPatch', () => {
  test('rejects an operation whose op is not a string', () => {
    assert.throws(() => checkJsonPatch([{ op: 1 }]), {
      message: 'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
    });
  });
});
