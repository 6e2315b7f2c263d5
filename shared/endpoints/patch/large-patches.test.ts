import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeeperThan } from '#shared/apimachinery/json/json-depth.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { applyJsonPatch, decodeJsonPatch } from '#shared/apimachinery/patch/json-patch.ts';
import { applyMergePatch } from '#shared/apimachinery/patch/merge-patch.ts';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { turnsDuring } from '#shared/apimachinery/slices/testing/turns-during.ts';
import { mergedText, patchedText } from './patched-text.ts';

function data(members: number): JsonObject {
  return Object.fromEntries(Array.from({ length: members }, (_, i) => [`k${i}`, `value ${i}`]));
}

describe('patches of large objects', () => {
  test('leave turns to other requests while they copy, compare, merge and print', async () => {
    const document = { data: data(30_000), other: {} };
    const copied = await turnsDuring(
      applyJsonPatch(
        document,
        decodeJsonPatch([
          { op: 'test', path: '/data', value: data(30_000) },
          { op: 'copy', from: '/data', path: '/other/data' },
        ]),
      ),
    );
    assert.deepEqual(copied.value.value, { data: document.data, other: { data: document.data } });
    assert.ok(copied.turns > 5);
    const { value, entered } = copied.value;
    assert.ok((await turnsDuring(patchedText(value, entered))).turns > 5);
    const merged = await turnsDuring(applyMergePatch(document, { data: { k1: null } }));
    assert.ok(merged.turns > 2);
    assert.ok((await turnsDuring(mergedText(merged.value, { data: { k1: null } }, document))).turns > 5);
    assert.ok((await turnsDuring(isDeeperThan({ list: Array.from({ length: 200_000 }, () => ({})) }, 10))).turns > 2);
  });

  test('count copies by the bytes of the JSON that Go writes', async () => {
    const value = { a: ['<', 'ü', 1.5, null, true, {}], 'b"': { c: [] }, d: 'x'.repeat(1000) };
    const bytes = Buffer.byteLength('{"a":["\\u003c","ü",1.5,null,true,{}],"b\\"":{"c":[]},"d":""}') + 1000;
    const copies = (times: number): Promise<unknown> =>
      inSlices(
        applyJsonPatch(
          { a: 0 },
          decodeJsonPatch([
            { op: 'add', path: '/a', value },
            { op: 'add', path: '/list', value: Array.from({ length: times }, () => value) },
            { op: 'copy', from: '/list', path: '/b' },
          ]),
        ),
      );
    // Each with the comma or bracket beside it, and the closing bracket.
    const fitting = Math.floor((3 * 1024 * 1024 - 1) / (bytes + 1));
    await copies(fitting);
    await assert.rejects(copies(fitting + 1), /accumulated size increase of copy is \d+, exceeding the limit 3145728/);
  });
});
