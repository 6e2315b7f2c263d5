import assert from 'node:assert/strict';
import { test } from 'node:test';
import { managerIdentifier, managerText, parseManagerIdentifier } from './manager-identifier.ts';

// The texts are those of apimachinery/pkg/util/managedfields/internal/managedfields_test.go and conflict_test.go.
test('an identifier has the members that say something, in the order of the reference', () => {
  const update = { manager: 'foo', operation: 'Update', apiVersion: 'v1', subresource: '' };
  assert.equal(managerIdentifier(update), '{"manager":"foo","operation":"Update","apiVersion":"v1"}');
  assert.equal(
    managerIdentifier({ ...update, subresource: 'status' }),
    '{"manager":"foo","operation":"Update","apiVersion":"v1","subresource":"status"}',
  );
  assert.equal(managerIdentifier({ ...update, operation: 'Apply' }), '{"manager":"foo","operation":"Apply"}');
});

test('what is read of an identifier is what it was made of', () => {
  for (const manager of ['foo', '', 'a"b\\c\n<&>', '\u2028', '__proto__']) {
    const identity = { manager, operation: 'Update', apiVersion: 'apps/v1', subresource: 'scale' };
    assert.deepEqual(parseManagerIdentifier(managerIdentifier(identity)), identity);
  }
});

test('a conflict names the manager, its subresource, and its version where it updated', () => {
  const text = (operation: string, subresource: string): string =>
    managerText(managerIdentifier({ manager: 'foo', operation, apiVersion: 'v1', subresource }));
  assert.equal(text('Update', ''), '"foo" using v1');
  assert.equal(text('Update', 'scale'), '"foo" with subresource "scale" using v1');
  assert.equal(text('Apply', ''), '"foo"');
});
