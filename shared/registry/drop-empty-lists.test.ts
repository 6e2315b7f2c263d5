import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { atOnce, inSlices, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { dropEmptyLists } from './drop-empty-lists.ts';

describe('dropEmptyLists', () => {
  test('removes empty lists, also within lists, but not from free-form JSON', async () => {
    const slice = loadFacts().schema('discovery.k8s.io', 'v1', 'EndpointSlice');
    const revision = loadFacts().schema('apps', 'v1', 'ControllerRevision');
    assert.ok(slice && revision);
    const once = (steps: Steps<void>): Promise<void> => Promise.resolve(atOnce(steps));
    for (const run of [once, inSlices<void>]) {
      const object = { endpoints: [{ addresses: [] }], ports: [] };
      await run(dropEmptyLists(slice, object));
      assert.deepEqual(object, { endpoints: [{}] });
      const free = { data: { list: [] } };
      await run(dropEmptyLists(revision, free));
      assert.deepEqual(free, { data: { list: [] } });
    }
  });
});
