import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { Finder, PatternTooCostly } from './finder.ts';
import { compileProgram } from './program.ts';

const found = (pattern: string, text: string, most = -1): string[] =>
  atOnce(new Finder(compileProgram(pattern)).findAll(text, most)).map(([start, end]) => text.slice(start, end));

test('matches are the leftmost, and what the pattern prefers', () => {
  assert.deepEqual(found('a|ab', 'xabab'), ['a', 'a']);
  assert.deepEqual(found('ab|a', 'xabab'), ['ab', 'ab']);
  assert.deepEqual(found('a+?', 'aaa'), ['a', 'a', 'a']);
  assert.deepEqual(found('a+', 'aaa b aa', 1), ['aaa']);
  assert.deepEqual(found('(?i)é.', 'xÉ😀é1'), ['É😀', 'é1']);
});

test('empty matches stand between characters, not behind a match', () => {
  assert.deepEqual(found('a*', 'baac'), ['', 'aa', '']);
  assert.deepEqual(found('', '😀a'), ['', '', '']);
  assert.deepEqual(found('$', 'ab'), ['']);
});

test('what stands before the place where a search begins counts', () => {
  assert.deepEqual(found('\\bab', 'abab ab'), ['ab', 'ab']);
  assert.deepEqual(found('(?m)^a', 'aa\na'), ['a', 'a']);
});

test('a pattern that goes over the rest of the text for each match is given up', () => {
  assert.throws(() => found('a.*z|a', 'a'.repeat(2000)), PatternTooCostly);
});
