import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { sharedFieldSet } from './shared-field-sets.ts';

function read(text: string): JsonValue {
  return sharedFieldSet(text, () => JSON.parse(text) as JsonValue);
}

describe('sharedFieldSet', () => {
  test('returns one value, frozen on all levels, for equal texts', () => {
    const text = '{"f:spec":{"k:{\\"name\\":1}":{}}}';
    const set = read(text) as { readonly [key: string]: JsonObject };
    assert.equal(read(text), set);
    assert.deepEqual(set, JSON.parse(text));
    assert.ok(Object.isFrozen(set));
    assert.ok(Object.isFrozen(set['f:spec']?.['k:{"name":1}']));
  });

  test('does not keep long field sets and values that are not objects', () => {
    const long = JSON.stringify({ a: 'x'.repeat(5000) });
    assert.notEqual(read(long), read(long));
    assert.ok(!Object.isFrozen(read(long)));
    assert.equal(
      sharedFieldSet('""', () => ''),
      '',
    );
    assert.equal(
      sharedFieldSet('""', () => 'parsed again'),
      'parsed again',
    );
  });
});
