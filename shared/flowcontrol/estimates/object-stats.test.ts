import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ObjectStatsTable } from './object-stats.ts';

const minute = 60_000;

describe('ObjectStatsTable', () => {
  test('keeps the last told numbers of each resource, and groups apart', () => {
    const table = new ObjectStatsTable(() => 0);
    table.tell('', 'events', { count: 1, averageBytes: 2 });
    table.tell('events.k8s.io', 'events', { count: 3, averageBytes: 4 });
    table.tell('', 'events', { count: 5, averageBytes: 6 });
    assert.deepEqual(table.of('', 'events'), { count: 5, averageBytes: 6 });
    assert.deepEqual(table.of('events.k8s.io', 'events'), { count: 3, averageBytes: 4 });
    assert.equal(table.of('', 'pods'), undefined);
  });

  test('takes numbers for infinite after three minutes of silence, and forgets them after an hour', () => {
    let nowMs = 0;
    const table = new ObjectStatsTable(() => nowMs);
    table.tell('', 'pods', { count: 1, averageBytes: 2 });
    nowMs = 3 * minute;
    assert.deepEqual(table.of('', 'pods'), { count: 1, averageBytes: 2 });
    nowMs += 1;
    assert.deepEqual(table.of('', 'pods'), { count: 1_000_000_000, averageBytes: 1_500_000 });
    nowMs = 61 * minute;
    table.tell('', 'nodes', { count: 1, averageBytes: 2 });
    assert.equal(table.of('', 'pods'), undefined);
  });
});
