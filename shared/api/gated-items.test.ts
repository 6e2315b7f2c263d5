import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resolveGatedItems } from './gated-items.ts';

const only = (...on: string[]) => ({ isEnabled: (gate: string) => on.includes(gate) });

const facts = {
  roles: [
    {
      name: 'first',
      rules: [{ urls: ['/a', { needs: ['A'], item: '/b' }, '/c'] }, { needs: ['B'], item: { verbs: ['get'] } }],
    },
    {
      needs: ['A', 'B'],
      item: { name: 'second', rules: [{ needs: ['C'], item: { verbs: ['list'] } }, { verbs: ['watch'] }] },
    },
    { name: 'third' },
  ],
};

describe('resolveGatedItems', () => {
  test('leaves out items whose gate is off, in lists at any depth', () => {
    assert.deepEqual(resolveGatedItems(structuredClone(facts), only()), {
      roles: [{ name: 'first', rules: [{ urls: ['/a', '/c'] }] }, { name: 'third' }],
    });
  });

  test('keeps an item that needs two gates, in its place, only when both are on', () => {
    assert.deepEqual(resolveGatedItems(structuredClone(facts), only('A', 'C')), {
      roles: [{ name: 'first', rules: [{ urls: ['/a', '/b', '/c'] }] }, { name: 'third' }],
    });
    assert.deepEqual(resolveGatedItems(structuredClone(facts), only('A', 'B')), {
      roles: [
        { name: 'first', rules: [{ urls: ['/a', '/b', '/c'] }, { verbs: ['get'] }] },
        { name: 'second', rules: [{ verbs: ['watch'] }] },
        { name: 'third' },
      ],
    });
  });
});
