import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RE2JS } from 're2js';
import { atOnce, inSlices } from '#shared/apimachinery/slices/slices.ts';
import { compiledPattern, patternInSteps } from './compiled-patterns.ts';
import { compileProgram, Op, outcomeOf, takesRune } from './program.ts';

interface Machine {
  readonly inst: readonly { readonly op: number; matchRune(rune: number): boolean }[];
}

for (const pattern of [
  '(?i)k',
  '(?i)ß',
  '(?i)ς',
  '(?i)ǆ',
  '(?i)İ',
  '(?i)a',
  '(?i)é',
  '(?i)𐐀',
  '\\pL',
  '[^a-c]',
  '(?i)[k-m]',
  '.',
  '(?s).',
  '[[:word:]é]',
  '\\PN',
  '[]a]',
]) {
  test(`an instruction takes the characters that it takes in re2js: ${pattern}`, () => {
    const { inst } = RE2JS.compile(pattern).re2Input.prog as Machine;
    const program = compileProgram(pattern);
    for (const [place, instruction] of inst.entries()) {
      if (instruction.op <= Op.nop) continue;
      for (let rune = 0; rune <= 0x1ffff; rune++)
        if (takesRune(program, place, rune) !== instruction.matchRune(rune))
          assert.fail(`${place}: ${rune.toString(16)}`);
    }
  });
}

test('every character with a case finds its variants', () => {
  const wrong: string[] = [];
  for (let rune = 0x41; rune < 0x1ffff; rune++) {
    const character = String.fromCodePoint(rune);
    if (character.toLowerCase() === character && character.toUpperCase() === character) continue;
    const pattern = RE2JS.compile(`(?i)${character}`);
    const { inst } = pattern.re2Input.prog as Machine;
    const program = compileProgram(`(?i)${character}`);
    const place = inst.findIndex(({ op }) => op > Op.nop);
    for (const other of [
      character,
      character.toLowerCase(),
      character.toUpperCase(),
      character.toUpperCase().toLowerCase(),
      character.toLowerCase().toUpperCase(),
    ]) {
      const [first = '', second] = other;
      if (second !== undefined) continue;
      const code = first.codePointAt(0) ?? 0;
      if (takesRune(program, place, code) !== inst[place]?.matchRune(code)) wrong.push(`${character} ${first}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('a long pattern is compiled by a thread, and is the same', async () => {
  const pattern = `^(?:${Array.from({ length: 1000 }, (_, at) => `word${at}|(?i:Zeile${at})`).join('|')})$`;
  const compiled = await inSlices(patternInSteps(pattern));
  assert.deepEqual(outcomeOf(pattern), compileProgram(pattern));
  assert.deepEqual(
    ['word7', 'ZEILE999', 'word1000'].map((text) => compiled.matcher.matches(text)),
    [true, true, false],
  );
  assert.equal(compiledPattern(pattern), compiled);
});

test('what is wrong with a long pattern is told in the same words', async () => {
  const pattern = `${'a'.repeat(5000)}(`;
  const { error } = await inSlices(patternInSteps(pattern));
  assert.match(error ?? '', /missing closing \)/);
  assert.equal(error, outcomeOf(pattern));
});

test('alone, a long pattern needs no thread', () =>
  assert.equal(atOnce(patternInSteps('b'.repeat(5000))).error, undefined));
