import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ObjectCounts, type CountedResource } from './object-counts.ts';

interface Counted extends CountedResource {
  held: number | undefined;
  asked: number;
}

function resourceOf(resource: string, held: number | undefined, stored: () => Promise<number>): Counted {
  const one: Counted = {
    group: '',
    resource,
    held,
    asked: 0,
    cached: () => (one.held === undefined ? undefined : { count: one.held, storedBytes: one.held * 10.5 }),
    stored: () => {
      one.asked++;
      return stored();
    },
  };
  return one;
}

const textOf = (counts: ObjectCounts): string[] => [...counts.counts()].map((one) => `${one.resource} ${one.count}`);

describe('ObjectCounts', () => {
  test('count what caches hold now, and ask storage for the others only', async () => {
    const pods = resourceOf('pods', 3, () => assert.fail('storage is asked for what a cache holds'));
    const events = resourceOf('events', undefined, async () => 7);
    const counts = new ObjectCounts(() => [pods, events], 60_000);
    assert.deepEqual(textOf(counts), ['pods 3'], 'what was not counted is left out');
    await counts.refresh();
    pods.held = 4;
    assert.deepEqual(textOf(counts), ['pods 4', 'events 7']);
    assert.deepEqual(
      [...counts.counts()].map(({ averageBytes }) => averageBytes),
      [10, 0],
    );
  });

  test('ask storage once in a period, and not for calls at the same time', async () => {
    const events = resourceOf('events', undefined, async () => 7);
    const counts = new ObjectCounts(() => [events], 60_000);
    await Promise.all([counts.refresh(), counts.refresh()]);
    await counts.refresh();
    assert.equal(events.asked, 1);
    const often = new ObjectCounts(() => [events], 0.000_001);
    await often.refresh();
    await often.refresh();
    assert.equal(events.asked, 3);
  });

  test('are -1 while storage does not answer', async () => {
    const events = resourceOf('events', undefined, () => Promise.reject(new Error('away')));
    const counts = new ObjectCounts(() => [events], 60_000);
    await counts.refresh();
    assert.deepEqual(textOf(counts), ['events -1']);
  });

  test('forget resources that are gone', async () => {
    const things = resourceOf('things', undefined, async () => 1);
    let resources = [things];
    const counts = new ObjectCounts(() => resources, 60_000);
    await counts.refresh();
    resources = [];
    await counts.refresh();
    resources = [things];
    assert.deepEqual(textOf(counts), []);
  });
});
