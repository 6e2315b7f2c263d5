import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { atOnce, inSlices } from '#shared/apimachinery/slices/slices.ts';
import { Matcher } from './matcher.ts';
import { compileProgram } from './program.ts';

const atoms = [
  'a',
  'b',
  'é',
  '😀',
  '.',
  '[a-c]',
  '[^a]',
  '\\w',
  '\\W',
  '\\s',
  '\\b',
  '\\B',
  '^',
  '$',
  '\\A',
  '\\z',
  '(?i:A)',
  '(?i:É)',
  '(?m:^)',
  '(?m:$)',
  '(?s:.)',
  '\\pL',
  '[[:alpha:]]',
  '\\n',
  ' ',
  '',
];
const pattern = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(...atoms),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => a + b),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(?:${a}|${b})`),
    fc
      .tuple(tie('node'), fc.constantFrom('*', '+', '?', '*?', '+?', '{2}', '{1,3}', '{0,2}?'))
      .map(([a, times]) => `(${a})${times}`),
  ),
})).node;
const text = fc
  .array(fc.constantFrom('a', 'b', 'c', 'A', 'é', 'É', '😀', ' ', '\n', '_', '1', '\ud83d', '-', 'ſ', 'K'), {
    maxLength: 14,
  })
  .map((parts) => parts.join(''));

describe('Matcher', () => {
  test('matches the texts that re2js matches, at once and in steps', async () => {
    await fc.assert(
      fc.asyncProperty(pattern, fc.array(text, { minLength: 1, maxLength: 4 }), async (expression, texts) => {
        const matcher = new Matcher(compileProgram(expression));
        const other = RE2JS.compile(expression);
        for (const one of texts) {
          const expected = other.matcher(one).find();
          assert.equal(atOnce(matcher.matches(one)), expected, `${expression} on ${JSON.stringify(one)}`);
          assert.equal(await inSlices(matcher.matches(one)), expected);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('answers correctly after it has forgotten states because there are too many', () => {
    const matcher = new Matcher(compileProgram('^(a|b)*a(a|b){14}$'));
    let text = '';
    for (let i = 0, random = 7; i < 30_000; i++) {
      random = (random * 48271) % 2147483647;
      text += random % 2 === 0 ? 'a' : 'b';
    }
    assert.equal(atOnce(matcher.matches(`${text}a${'b'.repeat(14)}`)), true);
    assert.equal(atOnce(matcher.matches(`${text}b${'b'.repeat(14)}`)), false);
  });

  test('lets others run while it matches a text of a million characters', async () => {
    for (const [expression, word, tail] of [
      ['^([a-z]+)*[0-9]?$', 'a', '!'],
      ['(\\w+\\s?)+end', 'word ', ''],
      ['^(a?){50}a{50}$', 'a', ''],
    ] as const) {
      const matcher = new Matcher(compileProgram(expression));
      let turns = 0;
      const tick = (): void => void (turns++, setImmediate(count));
      let count: () => void = tick;
      setImmediate(count);
      assert.equal(await inSlices(matcher.matches(word.repeat(1_000_000 / word.length) + tail)), false, expression);
      count = () => undefined;
      assert.ok(turns > 0, expression);
    }
  });
});
