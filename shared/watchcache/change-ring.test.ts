import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CacheChange } from './cache-change.ts';
import { ChangeRing } from './change-ring.ts';
import { decodeThing, thing } from './testing/json-entries.ts';

const limits = { minChanges: 2, maxChanges: 4, freshMs: 100, maxBytes: 1_000 };

function change(revision: number, atMs: number): CacheChange {
  const entry = decodeThing({
    key: '/things/a/x',
    value: thing({}),
    createRevision: 1,
    modRevision: revision,
    lease: '',
  });
  return new CacheChange(revision, atMs, entry, entry);
}

test('young changes are kept up to the maximum, old ones down to the minimum', () => {
  const ring = new ChangeRing(1, limits);
  for (let revision = 2; revision <= 7; revision++) ring.append(change(revision, 0));
  ring.trim(0);
  assert.deepEqual([ring.size, ring.baseRevision, ring.start, ring.end], [4, 3, 2, 6]);
  ring.trim(1_000);
  assert.deepEqual([ring.size, ring.baseRevision], [2, 5]);
});

test('changes that hold on to much are forgotten sooner', () => {
  const ring = new ChangeRing(1, { ...limits, maxBytes: 1 });
  ring.append(change(2, 0));
  assert.ok(ring.trim(0));
  assert.deepEqual([ring.size, ring.baseRevision], [0, 2]);
});

test('the position after a revision is that of the next change, also between revisions', () => {
  const ring = new ChangeRing(1, limits);
  for (const revision of [4, 4, 8]) ring.append(change(revision, 0));
  assert.deepEqual(
    [1, 3, 4, 6, 8, 9].map((revision) => ring.positionAfter(revision)),
    [0, 0, 2, 2, 3, 3],
  );
  assert.equal(ring.positionAfter(0), undefined);
});
