import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadFacts } from '../api/load-facts.ts';
import { dropEmptyLists } from './drop-empty-lists.ts';

test('lists without items go, also within lists; what is free JSON stays', () => {
  const slice = loadFacts().schema('discovery.k8s.io', 'v1', 'EndpointSlice');
  const revision = loadFacts().schema('apps', 'v1', 'ControllerRevision');
  assert.ok(slice && revision);
  const object = { endpoints: [{ addresses: [] }], ports: [] };
  dropEmptyLists(slice, object);
  assert.deepEqual(object, { endpoints: [{}] });
  const free = { data: { list: [] } };
  dropEmptyLists(revision, free);
  assert.deepEqual(free, { data: { list: [] } });
});
