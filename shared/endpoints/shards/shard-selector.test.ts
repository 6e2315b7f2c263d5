import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { parseShardSelector } from './shard-selector.ts';

const range = (start: string, end: string, field = 'object.metadata.uid'): string =>
  `shardRange(${field}, '${start}', '${end}')`;
const halves = [
  range('0x0000000000000000', '0x8000000000000000'),
  range('0x8000000000000000', '0x10000000000000000'),
] as const;

function selects(selector: string, uid: string): boolean {
  return atOnce(parseShardSelector(selector)).matches({ metadata: { uid } });
}

describe('parseShardSelector', () => {
  test('matches an object by the FNV-1a hash of its field', () => {
    // Of "a": the test vector of the algorithm's authors.
    assert.equal(selects(range('0xaf63dc4c8601ec8c', '0xaf63dc4c8601ec8d'), 'a'), true);
    assert.equal(selects(range('0xaf63dc4c8601ec8d', '0x10000000000000000'), 'a'), false);
    assert.equal(selects(range('0x0000000000000000', '0xaf63dc4c8601ec8c'), 'a'), false);
  });

  test('puts each object into exactly one of two halves, and into their union', () => {
    for (const uid of ['', 'a', 'foobar', '6f3a5b3c-1111-2222-3333-444455556666']) {
      assert.equal(halves.filter((half) => selects(half, uid)).length, 1, uid);
      assert.equal(selects(halves.join(' || '), uid), true, uid);
    }
  });

  test('normalizes the text of a selector', () => {
    const written = `( ${halves[0].replaceAll("'", '"').replaceAll(' ', '')} )\n|| ${halves[1]} // the rest`;
    assert.equal(atOnce(parseShardSelector(written)).text, halves.join(' || '));
  });

  // Texts of apiserver/pkg/sharding/parser.go; the series of test/conformance has all of them beside the reference.
  test("throws the reference's message for an invalid selector", () => {
    for (const [selector, message] of [
      ['', 'empty shard selector is not allowed; omit the parameter for unfiltered lists'],
      [halves.join(' && '), 'unsupported function "_&&_"; only shardRange() and || are allowed'],
      [
        `${halves[0]} || ${range('0x8000000000000000', '0x10000000000000000', 'object.metadata.namespace')}`,
        'all shard ranges must use the same field, got "object.metadata.uid" and "object.metadata.namespace"',
      ],
      [
        range('0x0', '0x8000000000000000'),
        `hexStart must be a 0x-prefixed 16-digit hex value, got "0x0" (did you mean "0x0000000000000000"?)`,
      ],
      [
        range('0x8000000000000000', '0x0000000000000000'),
        'shard range start 0x8000000000000000 must be less than end 0x0000000000000000',
      ],
      ['a b', "CEL parse error: Syntax error: extraneous input 'b' expecting <EOF>"],
      ['a.?b', "CEL parse error: unsupported syntax '.?'"],
      ['[1]', 'unexpected expression kind 4; expected shardRange() call or || operator'],
      ["shardRange(object.metadata.uid, 1u, '0x80')", 'hexStart must be a string literal, got uint64'],
      ['object.metadata.uid', 'unexpected expression kind 7; expected shardRange() call or || operator'],
    ] as const)
      assert.throws(() => atOnce(parseShardSelector(selector)), { message });
  });

  test('throws a CEL syntax error for a malformed expression', () => {
    for (const selector of ['shardRange(', ')', "'", 'a b', 'a.', 'a.1', '||', 'f(a,)', '$'])
      assert.throws(() => atOnce(parseShardSelector(selector)), /CEL parse error: Syntax error/, selector);
  });
});
