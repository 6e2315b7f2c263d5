import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CacheChange } from './cache-change.ts';
import { ChangeRing } from './change-ring.ts';
import { decodeThing, thing } from './testing/json-entries.ts';

const limits = {
  minChanges: 2,
  minBytes: 1_000,
  maxChanges: 4,
  freshMs: 100,
  maxBytes: 1_000,
  largeBytes: 500,
  largeFreshMs: 50,
  recentMs: 1_000,
};

/** A change whose history takes at least `bytes`. */
function change(revision: number, atMs: number, bytes = 0): CacheChange {
  const entry = decodeThing({
    key: '/things/a/x',
    value: thing(bytes === 0 ? {} : { filler: 'x'.repeat(bytes) }),
    createRevision: 1,
    modRevision: revision,
    lease: '',
  });
  return new CacheChange(revision, atMs, entry, entry);
}

describe('ChangeRing', () => {
  test('keeps fresh changes up to maxChanges and old ones down to minChanges', () => {
    const ring = new ChangeRing(1, limits);
    for (let revision = 2; revision <= 7; revision++) ring.append(change(revision, 0));
    ring.trim(0);
    assert.deepEqual([ring.size, ring.baseRevision, ring.start, ring.end], [4, 3, 2, 6]);
    ring.trim(1_000);
    assert.deepEqual([ring.size, ring.baseRevision], [2, 5]);
  });

  test('drops changes beyond maxBytes at once', () => {
    const ring = new ChangeRing(1, { ...limits, maxBytes: 1 });
    ring.append(change(2, 0));
    assert.ok(ring.trim(0));
    assert.deepEqual([ring.size, ring.baseRevision], [0, 2]);
  });

  test('drops a large change after largeFreshMs, together with those before it', () => {
    const ring = new ChangeRing(1, { ...limits, maxBytes: 10_000, minBytes: 10_000 });
    ring.append(change(2, 0));
    ring.append(change(3, 10, 500));
    ring.append(change(4, 20));
    ring.append(change(5, 30, 500));
    assert.equal(ring.trim(59), false);
    assert.ok(ring.trim(60));
    assert.deepEqual([ring.size, ring.baseRevision], [2, 3]);
    assert.ok(ring.trim(80));
    assert.deepEqual([ring.size, ring.baseRevision], [0, 5]);
    ring.append(change(6, 90));
    assert.equal(ring.trim(1_000), false);
  });

  test('drops old changes beyond minBytes even when they are few', () => {
    const ring = new ChangeRing(1, { ...limits, minBytes: 350 });
    ring.append(change(2, 0, 200));
    ring.append(change(3, 0, 200));
    assert.equal(ring.trim(99), false);
    assert.ok(ring.trim(100));
    assert.deepEqual([ring.size, ring.baseRevision], [1, 2]);
  });

  test('returns the position of the next change for a revision, also for one between changes', () => {
    const ring = new ChangeRing(1, limits);
    for (const revision of [4, 4, 8]) ring.append(change(revision, 0));
    assert.deepEqual(
      [1, 3, 4, 6, 8, 9].map((revision) => ring.positionAfter(revision)),
      [0, 0, 2, 2, 3, 3],
    );
    assert.equal(ring.positionAfter(0), undefined);
  });
});
