import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { applyJsonPatch, decodeJsonPatch } from '#shared/apimachinery/patch/json-patch.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { patchedText } from './patched-text.ts';

function textAfter(document: JsonObject, ...operations: readonly JsonValue[]): string {
  const { value, entered } = atOnce(applyJsonPatch(document, decodeJsonPatch([...operations])));
  return atOnce(patchedText(value, entered));
}

test('levels that a patch steps through are sorted, others stand as they were', () => {
  assert.equal(
    textAfter({ b: { z: 1 }, a: { d: 1, c: 1 } }, { op: 'add', path: '/b/x', value: 1 }),
    '{"a":{"d":1,"c":1},"b":{"x":1,"z":1}}',
  );
});

test('what moves is gone before its new place is looked for', () => {
  assert.equal(
    textAfter({ list: [{ y: 1, b: 1 }, { z: 1 }] }, { op: 'move', from: '/list/0', path: '/list/0/a' }),
    '{"list":[{"a":{"y":1,"b":1},"z":1}]}',
  );
});

test('what moves to where it was found stands as it was', () => {
  assert.equal(
    textAfter({ a: { b: { c: { z: 1, y: 1 } } } }, { op: 'move', from: '/a/b/c', path: '/a/b' }),
    '{"a":{"b":{"z":1,"y":1}}}',
  );
});

test('what is copied is stepped through on the way to its new place', () => {
  assert.equal(
    textAfter({ list: [{ z: 1, y: { q: 1, b: 1 } }] }, { op: 'copy', from: '/list/0', path: '/list/0/a' }),
    '{"list":[{"a":{"y":{"q":1,"b":1},"z":1},"y":{"q":1,"b":1},"z":1}]}',
  );
});

test('what is tested is looked into all the way down', () => {
  assert.equal(
    textAfter(
      { a: { z: { y: 1, x: 1 } }, b: { d: 1, c: 1 } },
      { op: 'test', path: '/a', value: { z: { x: 1, y: 1 } } },
    ),
    '{"a":{"z":{"x":1,"y":1}},"b":{"d":1,"c":1}}',
  );
});
