import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { CacheChange } from './cache-change.ts';
import { ChangeRing, defaultRingLimits } from './change-ring.ts';
import type { CacheEntry, CacheEvent } from './watch-cache.ts';

const recentMs = 1_000;
const states = 100;
const filler = 'x'.repeat(4_000);

function state(name: string, revision: number, labels: Record<string, string>): CacheEntry {
  const json = Buffer.from(JSON.stringify({ metadata: { name, resourceVersion: String(revision), labels }, filler }));
  return { key: `/things/a/${name}`, namespace: 'a', name, revision, json, labels, fields: undefined };
}

/** Objects that are created, labelled and deleted, one after the other, at time 0. */
function changes(): CacheChange[] {
  const all: CacheChange[] = [];
  for (let revision = 2; all.length < states; revision += 3) {
    const name = `object-${revision}`;
    const created = state(name, revision, { app: 'a' });
    const labelled = state(name, revision + 1, { app: 'b' });
    all.push(new CacheChange(revision, 0, created, undefined), new CacheChange(revision + 1, 0, labelled, created));
    all.push(new CacheChange(revision + 2, 0, undefined, labelled));
  }
  return all;
}

function ringOf(all: readonly CacheChange[], forget?: (entry: CacheEntry) => void): ChangeRing {
  const ring = new ChangeRing(1, { ...defaultRingLimits, recentMs }, forget);
  for (const change of all) ring.append(change);
  return ring;
}

/** What watchers of all objects, and of those with a label, get for the changes, as values. */
function told(all: readonly CacheChange[]): unknown[] {
  const selections = [undefined, ({ labels }: CacheEntry) => labels?.['app'] === 'a'];
  return selections.flatMap((matches) => all.map((change) => shown(change.select(matches))));
}

function shown(event: CacheEvent | undefined): unknown {
  if (event === undefined) return undefined;
  const { type, entry, previous, revision } = event;
  const text = ({ key, json, labels }: CacheEntry): unknown => [key, json.toString(), labels];
  return [type, revision, text(entry), entry.revision, previous && text(previous)];
}

/** How many states are not packed. */
function unpackedStates(all: readonly CacheChange[]): number {
  const own = new Set(
    all.flatMap(({ entry, previous }) => [entry, previous]).filter((one) => one?.constructor === Object),
  );
  return own.size;
}

describe('PastStates', () => {
  test('gives watches that begin in the past the same events as those of the present', () => {
    const all = changes();
    const before = told(all);
    ringOf(all).trim(recentMs);
    assert.deepEqual(told(all), before);
  });

  test('packs the states of changes that are no longer recent, from both of their sides', () => {
    const all = changes();
    const ring = ringOf(all);
    const before = unpackedStates(all);
    ring.trim(recentMs - 1);
    assert.equal(unpackedStates(all), before);
    ring.trim(recentMs);
    assert.ok(unpackedStates(all) < before / 4, `${unpackedStates(all)} of ${before}`);
  });

  test('leaves large states and the present ones as they are', () => {
    const [large, small] = [state('large', 2, {}), state('small', 3, {})];
    const grown = { ...large, json: Buffer.alloc(200_000) };
    const all = [new CacheChange(4, 0, large, grown), new CacheChange(5, 0, small, grown)];
    ringOf(all).trim(recentMs);
    assert.deepEqual(
      all.map(({ entry, previous }) => [entry, previous]),
      [
        [large, grown],
        [small, grown],
      ],
    );
  });

  test('tells once of each replaced state, and of the last state at the revision of a deletion that was watched', () => {
    const all = changes().slice(0, 3);
    const forgotten: CacheEntry[] = [];
    const ring = ringOf(all, (entry) => forgotten.push(entry));
    const deletion = all[2]?.select(undefined);
    const replaced = [all[1]?.previous, all[2]?.previous, deletion?.entry];
    ring.trim(recentMs - 1);
    assert.deepEqual(forgotten, []);
    ring.trim(recentMs);
    ring.trim(recentMs + 1);
    assert.deepEqual(forgotten, replaced);
  });

  test('shares the events of the past between watches', () => {
    const all = changes();
    ringOf(all).trim(recentMs);
    for (const change of all) assert.equal(change.select(undefined), change.select(undefined));
  });

  test('goes on behind changes that the ring has dropped', () => {
    const all = changes();
    const ring = new ChangeRing(1, { ...defaultRingLimits, recentMs, maxChanges: 60, minChanges: 1 });
    const before = told(all);
    for (const [at, change] of all.entries()) {
      ring.append(change);
      ring.trim(at % 2 === 0 ? 0 : recentMs);
    }
    assert.deepEqual(told(all), before);
  });
});
