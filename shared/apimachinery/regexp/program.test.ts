import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RE2JS } from 're2js';
import { atOnce, inSlices } from '#shared/apimachinery/slices/slices.ts';
import { compiledPattern } from './compiled-patterns.ts';
import { compileProgram, Op, outcomeOf, takesRune } from './program.ts';

interface Machine {
  readonly inst: readonly { readonly op: number; matchRune(rune: number): boolean }[];
}

describe('compileProgram', () => {
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
    test(`accepts the characters that re2js accepts for ${pattern}`, () => {
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

  test('accepts every case variant of a letter under (?i)', () => {
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
});

describe('compiledPattern', () => {
  test('compiles a long pattern in a thread to the same program', async () => {
    const pattern = `^(?:${Array.from({ length: 1000 }, (_, at) => `word${at}|(?i:Zeile${at})`).join('|')})$`;
    const compiled = await inSlices(compiledPattern(pattern));
    assert.deepEqual(outcomeOf(pattern), compileProgram(pattern));
    assert.deepEqual(
      ['word7', 'ZEILE999', 'word1000'].map((text) => atOnce(compiled.matcher.matches(text))),
      [true, true, false],
    );
    assert.equal(atOnce(compiledPattern(pattern)), compiled);
  });

  test('reports an error of a long pattern in the same words as of a short one', async () => {
    const pattern = `${'a'.repeat(5000)}(`;
    const { error } = await inSlices(compiledPattern(pattern));
    assert.match(error ?? '', /missing closing \)/);
    assert.equal(error, outcomeOf(pattern));
  });

  test('compiles a long pattern without a thread when run at once', () =>
    assert.equal(atOnce(compiledPattern('b'.repeat(5000))).error, undefined));
});
