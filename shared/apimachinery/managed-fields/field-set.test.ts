import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareElements, PathElement, pathText } from '#shared/apimachinery/schema/path-element.ts';
import { FieldSet } from './field-set.ts';
import { FieldsV1Error } from './fields-v1.ts';
import { formatFieldsV1AtOnce, parseFieldsV1AtOnce } from './testing/fields-v1-at-once.ts';

const container = PathElement.key([['name', 'a']]);

describe('FieldsV1', () => {
  test("prints elements in order, with each parent as '.' beside its children", () => {
    const set = FieldSet.of(
      ['spec', 'z'],
      ['spec', 'a'],
      ['spec', 'list', container],
      ['spec', 'list', container, 'image'],
      ['spec', 'list', PathElement.value('x')],
    );
    assert.equal(
      JSON.stringify(formatFieldsV1AtOnce(set)),
      '{"f:spec":{"f:a":{},"f:list":{"k:{\\"name\\":\\"a\\"}":{".":{},"f:image":{}},"v:\\"x\\"":{}},"f:z":{}}}',
    );
    assert.ok(parseFieldsV1AtOnce(formatFieldsV1AtOnce(set)).equals(set));
  });

  test('drops elements of unknown kinds and rejects malformed elements', () => {
    assert.equal(parseFieldsV1AtOnce({ 'x:a': {}, 'f:b': { 'x:c': {} } }).toString(), '.b');
    for (const text of ['f', 'fa', 'i:a', 'k:1', 'v:{'])
      assert.throws(() => parseFieldsV1AtOnce({ [text]: {} }), FieldsV1Error);
  });

  test('reads differently spelled keys as one element', () => {
    const set = parseFieldsV1AtOnce({ 'k:{"b":1,"a":"<"}': { 'f:x': {} }, 'k:{"a":"\\u003c","b":1}': { 'f:y': {} } });
    assert.equal(
      JSON.stringify(formatFieldsV1AtOnce(set)),
      '{"k:{\\"a\\":\\"\\\\u003c\\",\\"b\\":1}":{"f:x":{},"f:y":{}}}',
    );
  });
});

describe('FieldSet', () => {
  test('returns the same set from operations that change nothing', () => {
    const set = FieldSet.of(['spec', 'a'], ['spec', 'b']);
    assert.equal(set.union(FieldSet.of(['spec', 'a'])), set);
    assert.equal(set.difference(FieldSet.of(['spec'], ['status'])), set);
    assert.equal(set.recursiveDifference(FieldSet.of(['status'])), set);
    assert.equal(set.intersection(set), set);
    assert.equal(set.leaves(), set);
  });

  test('removes paths in difference(), and their children as well in recursiveDifference()', () => {
    const set = FieldSet.of(['spec'], ['spec', 'a'], ['spec', 'b', 'c']);
    assert.equal(set.difference(FieldSet.of(['spec'], ['spec', 'b'])).toString(), '.spec.a\n.spec.b.c');
    assert.equal(set.recursiveDifference(FieldSet.of(['spec', 'b'])).toString(), '.spec\n.spec.a');
    assert.ok(set.recursiveDifference(FieldSet.of(['spec'])).isEmpty);
  });
});

describe('PathElement', () => {
  test('sorts fields, keys, values and indices in this order, numbers by amount and names by UTF-8 bytes', () => {
    const elements = [
      PathElement.field('a'),
      PathElement.field('\uffff'),
      PathElement.field('\u{10000}'),
      PathElement.key([['name', 1]]),
      PathElement.key([
        ['name', 1],
        ['protocol', 'TCP'],
      ]),
      PathElement.key([['name', 2]]),
      PathElement.value(1),
      PathElement.value(2),
      PathElement.value('1'),
      PathElement.value(true),
      PathElement.index(0),
      PathElement.index(10),
    ];
    assert.deepEqual(elements.toReversed().toSorted(compareElements), elements);
  });

  test('appears in a path as conflict messages show it', () => {
    assert.equal(
      pathText([
        PathElement.field('spec'),
        PathElement.key([
          ['port', 80],
          ['protocol', 'TCP'],
        ]),
        PathElement.value('"'),
        PathElement.index(1),
      ]),
      '.spec[port=80,protocol="TCP"][="\\""][1]',
    );
  });
});

describe('fields named like members of Object.prototype', () => {
  test('are kept as ordinary fields', () => {
    const set = parseFieldsV1AtOnce(
      JSON.parse('{"f:__proto__":{},"f:constructor":{"f:__proto__":{}}}') as Record<string, never>,
    );
    assert.equal(set.toString(), '.__proto__\n.constructor.__proto__');
    assert.equal(JSON.stringify(formatFieldsV1AtOnce(set)), '{"f:__proto__":{},"f:constructor":{"f:__proto__":{}}}');
  });
});
