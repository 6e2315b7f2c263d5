import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentRows } from './recent-rows.ts';

/** Adds one row for each revision from 1 on. */
function withRows(count: number, bytes = 10): RecentRows {
  const rows = new RecentRows(0);
  for (let revision = 1; revision <= count; revision++) rows.add(`k${revision}`, row(revision, bytes));
  return rows;
}

function row(revision: number, bytes = 10): { id: number; revision: number; deleted: boolean; kv: Buffer } {
  return { id: revision, revision, deleted: false, kv: Buffer.alloc(bytes) };
}

const keysFrom = (rows: RecentRows, revision: number): string[] | undefined =>
  rows.from(revision)?.map(({ key }) => key);

test('recent rows from a revision on are given in order', () => {
  const rows = withRows(5);
  assert.deepEqual(keysFrom(rows, 4), ['k4', 'k5']);
  assert.deepEqual(keysFrom(rows, 6), []);
});

test('recent rows do not answer for revisions from before they began', () => {
  const rows = new RecentRows(7);
  rows.add('k8', row(8));
  assert.equal(keysFrom(rows, 7), undefined);
  assert.deepEqual(keysFrom(rows, 8), ['k8']);
});

test('recent rows drop the oldest beyond 1,024, and say that they are incomplete', () => {
  const rows = withRows(5000);
  assert.equal(keysFrom(rows, 3976), undefined);
  assert.equal(keysFrom(rows, 3977)?.length, 1024);
});

test('recent rows drop the oldest beyond 1 MiB, even a single larger one', () => {
  const rows = withRows(4, 400 * 1024);
  assert.equal(keysFrom(rows, 2), undefined);
  assert.deepEqual(keysFrom(rows, 3), ['k3', 'k4']);
  rows.add('k5', row(5, 2 * 1024 * 1024));
  assert.equal(keysFrom(rows, 5), undefined);
  assert.deepEqual(keysFrom(rows, 6), []);
});

test('recent rows do not answer for a revision of which they dropped a part', () => {
  const rows = new RecentRows(0);
  for (let at = 0; at < 1025; at++) rows.add(`k${at}`, row(1));
  assert.equal(keysFrom(rows, 1), undefined);
});
