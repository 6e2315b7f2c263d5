import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { managerIdentifier, managerText, parseManagerIdentifier } from './manager-identifier.ts';

describe('managerIdentifier', () => {
  // The texts are those of apimachinery/pkg/util/managedfields/internal/managedfields_test.go and conflict_test.go.
  test("writes the members that are set in the reference's order", () => {
    const update = { manager: 'foo', operation: 'Update', apiVersion: 'v1', subresource: '' };
    assert.equal(managerIdentifier(update), '{"manager":"foo","operation":"Update","apiVersion":"v1"}');
    assert.equal(
      managerIdentifier({ ...update, subresource: 'status' }),
      '{"manager":"foo","operation":"Update","apiVersion":"v1","subresource":"status"}',
    );
    assert.equal(managerIdentifier({ ...update, operation: 'Apply' }), '{"manager":"foo","operation":"Apply"}');
  });
});

describe('parseManagerIdentifier', () => {
  test('reads what managerIdentifier wrote', () => {
    for (const manager of ['foo', '', 'a"b\\c\n<&>', '\u2028', '__proto__']) {
      const identity = { manager, operation: 'Update', apiVersion: 'apps/v1', subresource: 'scale' };
      assert.deepEqual(parseManagerIdentifier(managerIdentifier(identity)), identity);
    }
  });
});

describe('managerText', () => {
  test('names the manager, its subresource, and its version if it made an update', () => {
    const text = (operation: string, subresource: string): string =>
      managerText(managerIdentifier({ manager: 'foo', operation, apiVersion: 'v1', subresource }));
    assert.equal(text('Update', ''), '"foo" using v1');
    assert.equal(text('Update', 'scale'), '"foo" with subresource "scale" using v1');
    assert.equal(text('Apply', ''), '"foo"');
  });
});
