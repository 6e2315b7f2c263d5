import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { atOnce, inSlices, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { dropEmptyLists } from './drop-empty-lists.ts';
import { StoredForm } from './stored-form.ts';

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

describe('StoredForm', () => {
  test('prints no empty lists, whether an object is encoded at once or in slices', async () => {
    const facts = loadFacts();
    const resource = facts.resource('discovery.k8s.io', 'v1', 'endpointslices');
    assert.ok(resource);
    const form = new StoredForm(facts, resource, {});
    const slice = () =>
      asKubeObject({ metadata: { name: 'a', finalizers: [] }, addressType: 'IPv4', endpoints: [{ addresses: [] }] });
    for (const encoded of [atOnce(form.encode(slice())), await inSlices(form.encode(slice()))]) {
      assert.deepEqual(encoded.object['endpoints'], [{}]);
      assert.deepEqual(encoded.object.metadata, { name: 'a' });
      assert.ok(!`${encoded.head}${encoded.tail}`.includes('[]'), encoded.head + encoded.tail);
    }
  });
});
