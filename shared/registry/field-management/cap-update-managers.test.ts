import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FieldSet } from '#shared/apimachinery/managed-fields/field-set.ts';
import type { VersionedSet } from '#shared/apimachinery/managed-fields/managers.ts';
import { capUpdateManagers } from './cap-update-managers.ts';
import { managerIdentifier } from './manager-identifier.ts';

const identifierOf = (manager: string, operation = 'Update', apiVersion = 'v1'): string =>
  managerIdentifier({ manager, operation, apiVersion, subresource: '' });
const ancient = identifierOf('ancient-changes');

/** Managers m0, m1 and so on, each a second later than the one before and owner of a field of its name. */
function managers(count: number, applied = false): [Map<string, VersionedSet>, Map<string, string>] {
  const sets = new Map<string, VersionedSet>();
  const times = new Map<string, string>();
  for (let at = 0; at < count; at++) {
    const identifier = identifierOf(`m${at}`, applied ? 'Apply' : 'Update');
    sets.set(identifier, { set: FieldSet.of([`f${at}`]), apiVersion: 'v1', applied });
    times.set(identifier, `2026-01-01T00:00:${String(at).padStart(2, '0')}Z`);
  }
  return [sets, times];
}

// As apimachinery/pkg/util/managedfields/internal/capmanagers.go with its limit of 10.
describe('capUpdateManagers', () => {
  test('keeps ten update managers', () => {
    const [sets, times] = managers(10);
    capUpdateManagers(sets, times);
    assert.deepEqual([sets.size, sets.has(ancient)], [10, false]);
  });

  test('merges the two oldest of eleven, at the time of the newer', () => {
    const [sets, times] = managers(11);
    capUpdateManagers(sets, times);
    assert.deepEqual(
      [sets.size, sets.get(ancient)?.set.toString(), times.get(ancient)],
      [10, '.f0\n.f1', '2026-01-01T00:00:01Z'],
    );
    assert.deepEqual([sets.has(identifierOf('m1')), sets.has(identifierOf('m2'))], [false, true]);
  });

  test('merges further managers into the same entry', () => {
    const [sets, times] = managers(13);
    capUpdateManagers(sets, times);
    assert.deepEqual([sets.size, sets.get(ancient)?.set.toString()], [10, '.f0\n.f1\n.f2\n.f3']);
  });

  test('does not merge apply managers', () => {
    const [sets, times] = managers(20, true);
    capUpdateManagers(sets, times);
    assert.equal(sets.size, 20);
  });

  test('does not merge managers of different versions', () => {
    const [sets, times] = managers(10);
    sets.set(identifierOf('other', 'Update', 'v2'), { set: FieldSet.of(['g']), apiVersion: 'v2', applied: false });
    times.set(identifierOf('other', 'Update', 'v2'), '2020-01-01T00:00:00Z');
    capUpdateManagers(sets, times);
    assert.deepEqual([sets.size, sets.get(ancient)?.set.toString()], [10, '.f0\n.f1']);
    assert.ok(sets.has(identifierOf('other', 'Update', 'v2')));
  });
});
