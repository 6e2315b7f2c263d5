import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SchemaNode } from '#servers/extensions/schema/schema-node.ts';
import { turnsDuring } from '#shared/apimachinery/slices/testing/turns-during.ts';
import { oldItemFinder } from './correlation.ts';

const schema = new SchemaNode({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: { type: 'object', properties: { name: { type: 'string' }, at: { type: 'integer' } } },
});

describe('oldItemFinder', () => {
  test('yields to the event loop while it indexes 100,000 items by their keys', async () => {
    const old = Array.from({ length: 100_000 }, (_, at) => ({ name: `item ${at}`, at }));
    const { value: find, turns } = await turnsDuring(oldItemFinder(schema, old));
    assert.equal(find({ name: 'item 99999' }), old.at(-1));
    assert.ok(turns > 5, `${turns}`);
  });

  test('returns the first of several old items with the same keys', async () => {
    const old = [{ name: 'a', at: 1 }, 'no object', { name: 'a', at: 2 }];
    const { value: find } = await turnsDuring(oldItemFinder(schema, old));
    assert.equal(find({ name: 'a', at: 3 }), old[0]);
    assert.equal(find({ name: 'b' }), undefined);
    assert.equal(find({ name: {} }), undefined);
  });
});
