import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { fieldSetOf, sharingFieldSets } from './shared-field-sets.ts';

const parse = (bytes: Buffer): JsonValue => JSON.parse(bytes.toString()) as JsonValue;
const text = '{"f:spec":{"k:{\\"ü\\":1}":{}}}';

describe('fieldSetOf', () => {
  test('returns one frozen value for equal field sets within sharingFieldSets, and copies elsewhere', () => {
    const [one, other] = sharingFieldSets(() => [
      fieldSetOf(Buffer.from(text), parse),
      fieldSetOf(Buffer.from(text), parse),
    ]);
    assert.equal(one, other);
    assert.deepEqual(one, parse(Buffer.from(text)));
    assert.ok(Object.isFrozen(one));
    const alone = fieldSetOf(Buffer.from(text), parse);
    assert.notEqual(alone, one);
    assert.ok(!Object.isFrozen(alone));
  });

  test('does not keep long field sets and values that are not objects', () => {
    const long = Buffer.from(JSON.stringify({ a: 'x'.repeat(5000) }));
    sharingFieldSets(() => {
      assert.notEqual(fieldSetOf(long, parse), fieldSetOf(long, parse));
      assert.equal(fieldSetOf(Buffer.from('""'), parse), '');
    });
  });
});

describe('sharingFieldSets', () => {
  test('stops sharing when its work fails', () => {
    assert.throws(() =>
      sharingFieldSets(() => {
        throw new Error('failed');
      }),
    );
    assert.ok(!Object.isFrozen(fieldSetOf(Buffer.from(text), parse)));
  });
});
