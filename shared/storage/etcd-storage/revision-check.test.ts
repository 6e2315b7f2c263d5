import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RevisionCheck } from './revision-check.ts';

describe('RevisionCheck', () => {
  test('shares the next read among callers that arrive during a read', async () => {
    const reads: ((revision: number) => void)[] = [];
    const check = new RevisionCheck(() => new Promise((resolve) => reads.push(resolve)));
    const first = check.current();
    const later = [check.current(), check.current()];
    assert.equal(reads.length, 1);
    reads[0]?.(5);
    assert.equal(await first, 5);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(reads.length, 2);
    reads[1]?.(7);
    assert.deepEqual(await Promise.all(later), [7, 7]);
  });

  test('fails only the callers of the read that failed', async () => {
    let reads = 0;
    const check = new RevisionCheck(async () => {
      if (++reads === 1) throw new Error('away');
      return 9;
    });
    const first = check.current();
    const second = check.current();
    await assert.rejects(first, /away/);
    assert.equal(await second, 9);
    assert.equal(await check.current(), 9);
  });
});
