import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkFileSizeLimit } from './file-size-limit.ts';

describe('checkFileSizeLimit', () => {
  test('refuses a limit that no store fits in, with the remedy', () => {
    assert.throws(() => checkFileSizeLimit('/data', 65_536), {
      name: 'UnusableFileError',
      message: /^\/data cannot hold a store, as files may have 65536 bytes at most: raise "ulimit -f"/,
    });
  });

  test('accepts a large limit, and none', () => {
    checkFileSizeLimit('/data', 1024 ** 3);
    checkFileSizeLimit('/data');
  });
});
