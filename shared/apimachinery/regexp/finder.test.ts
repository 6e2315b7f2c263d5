import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { Finder, PatternTooCostly } from './finder.ts';
import { compileProgram } from './program.ts';

const found = (pattern: string, text: string, most = -1): string[] =>
  atOnce(new Finder(compileProgram(pattern)).findAll(text, most)).map(([start, end]) => text.slice(start, end));

describe('Finder', () => {
  test("finds the leftmost matches and honours the pattern's preference", () => {
    assert.deepEqual(found('a|ab', 'xabab'), ['a', 'a']);
    assert.deepEqual(found('ab|a', 'xabab'), ['ab', 'ab']);
    assert.deepEqual(found('a+?', 'aaa'), ['a', 'a', 'a']);
    assert.deepEqual(found('a+', 'aaa b aa', 1), ['aaa']);
    assert.deepEqual(found('(?i)é.', 'xÉ😀é1'), ['É😀', 'é1']);
  });

  test('finds empty matches between characters, but not directly behind a match', () => {
    assert.deepEqual(found('a*', 'baac'), ['', 'aa', '']);
    assert.deepEqual(found('', '😀a'), ['', '', '']);
    assert.deepEqual(found('$', 'ab'), ['']);
  });

  test('looks at the character before the start of a search for \\b and ^', () => {
    assert.deepEqual(found('\\bab', 'abab ab'), ['ab', 'ab']);
    assert.deepEqual(found('(?m)^a', 'aa\na'), ['a', 'a']);
  });

  test('throws PatternTooCostly when a pattern rescans the rest of the text for each match', () => {
    assert.throws(() => found('a.*z|a', 'a'.repeat(2000)), PatternTooCostly);
  });
});
