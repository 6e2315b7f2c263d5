import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { declaredFacts } from './declared-facts.ts';
import { loadFacts } from './load-facts.ts';

const group = 'fruits.example.com';
const facts = declaredFacts(loadFacts(), {
  group,
  version: 'v1',
  resource: 'fruits',
  kind: 'Fruit',
  namespaced: true,
  shortNames: ['fr'],
  types: {
    FruitSpec: [
      ['color', 1, 'string', 'e'],
      ['pits', 2, '[]#Pit', 'e'],
    ],
    Pit: [['grams', 1, 'int32', 'r']],
    FruitStatus: [['ripe', 1, 'bool', 'e']],
  },
});

describe('declaredFacts', () => {
  test('gives a declared kind the members of an API type, in their order', () => {
    const fruit = facts.schema(group, 'v1', 'Fruit');
    assert.deepEqual(
      fruit?.flat.map(({ name, number }) => [name, number]),
      // Those of every type upstream, such as Deployment.
      loadFacts()
        .schema('apps', 'v1', 'Deployment')
        ?.flat.map(({ name, number }) => [name, number]),
    );
    assert.deepEqual([fruit?.name, fruit?.goName], ['com.example.fruits.v1.Fruit', 'Fruit']);
    assert.deepEqual(fruit?.gvk, { group, version: 'v1', kind: 'Fruit' });
    const list = facts.schema(group, 'v1', 'FruitList');
    const items = list?.byName.get('items')?.schema;
    assert.equal(items?.kind === 'list' && items.items, fruit);
  });

  test('links structs of the declaration to each other, without making them kinds', () => {
    const pits = facts.model('com.example.fruits.v1.FruitSpec')?.byName.get('pits')?.schema;
    assert.equal(pits?.kind === 'list' && pits.items, facts.model('com.example.fruits.v1.Pit'));
    assert.equal(facts.model('com.example.fruits.v1.Pit')?.gvk, undefined);
  });

  test("shares common types with the product's facts", () => {
    assert.equal(facts.schema('', 'v1', 'Status'), loadFacts().schema('', 'v1', 'Status'));
    assert.equal(facts.model('io.k8s.api.core.v1.Pod'), loadFacts().model('io.k8s.api.core.v1.Pod'));
  });

  test('finds the resource by name and by kind, in its own group version only', () => {
    const [resource] = facts.groups()[0]?.versions[0]?.resources ?? [];
    assert.deepEqual(
      resource?.subresources.map(({ name }) => name),
      ['status'],
    );
    assert.equal(facts.resource(group, 'v1', 'fruits'), resource);
    assert.equal(facts.byKind(group, 'v1', 'Fruit'), resource);
    assert.equal(facts.resource(group, 'v2', 'fruits'), undefined);
    assert.equal(facts.resource('', 'v1', 'pods'), undefined);
  });

  test("throws when a field's type is unknown", () => {
    const broken = declaredFacts(loadFacts(), {
      group,
      version: 'v1',
      resource: 'fruits',
      kind: 'Fruit',
      namespaced: false,
      types: { FruitSpec: [['peel', 1, '#Peel', 'e']] },
    });
    assert.throws(() => broken.model('com.example.fruits.v1.FruitSpec')?.fields, /com\.example\.fruits\.v1\.Peel/);
  });
});
