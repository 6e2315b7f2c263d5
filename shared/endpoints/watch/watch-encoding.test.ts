import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadFacts } from '../../api/load-facts.ts';
import type { CacheEntry, CacheEvent } from '../../watchcache/watch-cache.ts';
import type { RequestScope } from '../request/request-scope.ts';
import { WatchEncoding } from './watch-encoding.ts';

const scope = { formId: 'v1', servesStoredJson: true, env: { facts: loadFacts() } } as RequestScope;

function encoding(): WatchEncoding {
  return new WatchEncoding(scope, 'application/json', undefined, { includeObject: 'Metadata' } as never);
}

function event(bytes: number, at: number): CacheEvent {
  const entry: CacheEntry = {
    key: `/configmaps/a/${at}`,
    namespace: 'a',
    name: String(at),
    revision: at,
    json: Buffer.from(JSON.stringify({ at, text: 'x'.repeat(bytes) })),
    labels: undefined,
    fields: undefined,
  };
  return { type: 'ADDED', entry, previous: undefined, revision: at };
}

const sizes = [10, 20, 100_000, 10, 10, 15_000, 15_000, 15_000, 20_000];
const events = sizes.map((bytes, at) => event(bytes, at));

for (const form of ['frames', 'batch'] as const) {
  test(`what ${form} gives is every event in its order, small ones joined and large ones the same bytes for all`, () => {
    const [one, other] = [encoding()[form](events), encoding()[form](events.slice())];
    assert.equal(
      Buffer.concat([...one]).toString(),
      events.map(({ entry }) => `{"type":"ADDED","object":${entry.json.toString()}}\n`).join(''),
    );
    assert.deepEqual(
      one.map(({ length }) => Math.floor(length / 1000)),
      [0, 100, 30, 15, 20],
    );
    assert.deepEqual(
      one.map((bytes, at) => bytes === other[at]),
      [false, true, false, form === 'batch', true],
    );
  });
}
