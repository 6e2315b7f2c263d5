import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { applyJsonPatch } from './json-patch.ts';
import { LongList } from './long-list.ts';

describe('LongList', () => {
  test('inserts, sets and removes items as an array does', () => {
    const edit = fc.record({
      kind: fc.constantFrom('insert', 'remove', 'set'),
      at: fc.nat(12_000),
      times: fc.nat(3000),
    });
    fc.assert(
      fc.property(fc.nat(5000), fc.array(edit, { maxLength: 8 }), (length, edits) => {
        const wanted: JsonValue[] = Array.from({ length }, (_, index) => index);
        const list = new LongList(wanted);
        for (const { kind, at, times } of edits) {
          for (let time = 0; time < times; time++) {
            if (kind === 'insert') {
              const index = at % (wanted.length + 1);
              wanted.splice(index, 0, `new ${time}`);
              list.insert(index, `new ${time}`);
            } else if (wanted.length > 0) {
              const index = at % wanted.length;
              if (kind === 'set') {
                wanted[index] = time;
                list.set(index, time);
              } else {
                wanted.splice(index, 1);
                list.remove(index);
              }
              assert.equal(list.at(index), wanted[index]);
            }
          }
        }
        assert.deepEqual([...list.items()], wanted);
        assert.equal(list.length, wanted.length);
      }),
      { numRuns: 30 },
    );
  });
});

describe('applyJsonPatch on a long list', () => {
  test('lets each operation see the changes of the operations before it', () => {
    const list = Array.from({ length: 20_000 }, (_, index): JsonValue => ({ index }));
    const document: JsonObject = { outer: { list } };
    const last = list.slice(1, -1);
    const patch = [
      { op: 'remove', path: '/outer/list/0' },
      { op: 'remove', path: '/outer/list/-1' },
      { op: 'test', path: '/outer', value: { list: last } },
      { op: 'add', path: '/outer/list/0', value: 'first' },
      { op: 'replace', path: '/outer/list/1/index', value: 'changed' },
      { op: 'move', from: '/outer/list', path: '/list' },
      { op: 'add', path: '/list/-', value: 'last' },
      { op: 'copy', from: '/list', path: '/copy' },
      { op: 'remove', path: '/list/0' },
    ];
    const { value } = atOnce(applyJsonPatch(document, patch));
    const copy = ['first', { index: 'changed' }, ...last.slice(1), 'last'];
    assert.deepEqual(value, { outer: {}, list: copy.slice(1), copy });
    assert.equal(list.length, 20_000);
  });

  test('removes the first of a million items ten thousand times', () => {
    const document: JsonObject = { list: Array.from({ length: 1_000_000 }, () => 1) };
    const patch = Array.from({ length: 10_000 }, () => ({ op: 'remove', path: '/list/0' }));
    const { value } = atOnce(applyJsonPatch(document, patch));
    assert.equal(((value as JsonObject)['list'] as JsonValue[]).length, 990_000);
  });
});
