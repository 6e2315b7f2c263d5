import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { cleanedValue } from './cleaned-patch.ts';

function cleaned(value: JsonValue, dropsNulls: boolean): { readonly kept: JsonValue | undefined; patch: JsonValue } {
  return { kept: atOnce(cleanedValue(value, dropsNulls)), patch: value };
}

describe('cleanedValue', () => {
  test('drops a value that carries a $patch directive, and removes its nulls from the patch all the same', () => {
    assert.deepEqual(cleaned({ a: null, $patch: 'odd', b: { c: null, d: [null, { e: null }] } }, true), {
      kept: undefined,
      patch: { $patch: 'odd', b: { d: [null, {}] } },
    });
    assert.deepEqual(cleaned({ a: null, $patch: 'odd' }, false), {
      kept: undefined,
      patch: { a: null, $patch: 'odd' },
    });
  });

  test('drops fields and items that carry a $patch directive from a value without one', () => {
    assert.deepEqual(cleaned({ a: { $patch: 'delete' }, b: [{ $patch: 'delete' }, { c: null }] }, true).kept, {
      b: [{}],
    });
  });
});
