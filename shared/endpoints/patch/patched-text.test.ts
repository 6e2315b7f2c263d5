import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { applyJsonPatch, decodeJsonPatch } from '#shared/apimachinery/patch/json-patch.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { patchedText } from './patched-text.ts';

function textAfter(document: JsonObject, ...operations: readonly JsonValue[]): string {
  const { value, entered } = atOnce(applyJsonPatch(document, decodeJsonPatch([...operations])));
  return atOnce(patchedText(value, entered));
}

describe('patchedText', () => {
  test('sorts the keys of objects that a path leads through, and keeps the order of others', () => {
    assert.equal(
      textAfter({ b: { z: 1 }, a: { d: 1, c: 1 } }, { op: 'add', path: '/b/x', value: 1 }),
      '{"a":{"d":1,"c":1},"b":{"x":1,"z":1}}',
    );
  });

  test('removes a moved value before it resolves the target path', () => {
    assert.equal(
      textAfter({ list: [{ y: 1, b: 1 }, { z: 1 }] }, { op: 'move', from: '/list/0', path: '/list/0/a' }),
      '{"list":[{"a":{"y":1,"b":1},"z":1}]}',
    );
  });

  test('keeps the order of a value that is moved over its own parent', () => {
    assert.equal(
      textAfter({ a: { b: { c: { z: 1, y: 1 } } } }, { op: 'move', from: '/a/b/c', path: '/a/b' }),
      '{"a":{"b":{"z":1,"y":1}}}',
    );
  });

  test('sorts copied objects that the target path leads through', () => {
    assert.equal(
      textAfter({ list: [{ z: 1, y: { q: 1, b: 1 } }] }, { op: 'copy', from: '/list/0', path: '/list/0/a' }),
      '{"list":[{"a":{"y":{"q":1,"b":1},"z":1},"y":{"q":1,"b":1},"z":1}]}',
    );
  });

  test('sorts a tested value at every depth', () => {
    assert.equal(
      textAfter(
        { a: { z: { y: 1, x: 1 } }, b: { d: 1, c: 1 } },
        { op: 'test', path: '/a', value: { z: { x: 1, y: 1 } } },
      ),
      '{"a":{"z":{"x":1,"y":1}},"b":{"d":1,"c":1}}',
    );
  });
});
