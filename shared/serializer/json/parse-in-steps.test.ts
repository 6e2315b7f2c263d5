import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { atOnce, inSlices } from '#shared/apimachinery/slices/slices.ts';
import { turnsDuring } from '#shared/apimachinery/slices/testing/turns-during.ts';
import { parseInSteps } from './parse-in-steps.ts';
import { parseJsonText } from './parse.ts';

const parse = (text: string): unknown => JSON.parse(text);
const filler = 'x'.repeat(3000);
const map = (count: number, value: string): string =>
  `{${Array.from({ length: count }, (_, i) => `"key ${i}\\"}" : ${value}`).join(' ,\n')}}`;

describe('parseInSteps', () => {
  test('reads large documents as JSON.parse does', async () => {
    const texts = [
      map(3000, '"a"'),
      `[${Array.from({ length: 9000 }, (_, i) => i).join(',')}]`,
      `{"a":${map(2000, '[1,{"b":"]"}]')},"c":[${map(900, 'null')}, ${map(900, '{}')}]}`,
      ` { "__proto__" : ${map(1500, '"b"')} , "1" : 2, "0": ${map(10, `"${filler}"`)} } `,
      `{"a":1,"a":${map(3000, '2')},"a":{"b":"${filler.repeat(9)}"}}`,
      `"${filler.repeat(20)}"`,
      `[${'['.repeat(40)}${map(3000, 'true')}${']'.repeat(40)}]`,
      '{}',
    ];
    for (const text of texts) {
      const value = await inSlices(parseInSteps(text, parse));
      assert.deepEqual(value, parse(text));
      assert.equal(JSON.stringify(value), JSON.stringify(parse(text)));
    }
  });

  test('reads a long string in steps, wherever its escapes stand', async () => {
    const escapes = ['\\\\', '\\"', '\\u0041', '\\ud83d\\ude00', '\\n', '\u{1f600}', '\\\\\\"'];
    for (const escape of escapes)
      for (let shift = 0; shift < 13; shift++) {
        const literal = `"${'a'.repeat(shift)}${escape.repeat(20_000)}"`;
        assert.equal(await inSlices(parseInSteps(literal, parse)), parse(literal));
        assert.deepEqual(await inSlices(parseInSteps(`{"a":${literal}}`, parse)), { a: parse(literal) });
      }
    const { turns } = await turnsDuring(parseInSteps(`"${'a b '.repeat(2_000_000)}"`, parse));
    assert.ok(turns > 2, `${turns} turns`);
  });

  test('rejects a long string that holds a forbidden character or escape', async () => {
    for (const wrong of ['\n', '\\x', '\\u00g0', '"b'])
      for (const at of [16_383, 16_384, 16_385, 40_000, 99_000]) {
        const text = `"${'a'.repeat(at)}${wrong}${'a'.repeat(100_000 - at)}"`;
        await assert.rejects(inSlices(parseInSteps(text, parse)), SyntaxError);
      }
  });

  test('rejects what JSON.parse rejects, with the same error', async () => {
    const whole = `{"a":${map(1500, '"a"')},"b":[${map(900, '1')}]}`;
    const outcome = async (text: string): Promise<string> => {
      const at = (run: () => unknown): unknown => {
        try {
          return run();
        } catch (error) {
          return String(error);
        }
      };
      const expected = at(() => parse(text));
      const actual: unknown = await inSlices(parseInSteps(text, parse)).catch((error: unknown) => String(error));
      assert.deepEqual(actual, expected);
      return typeof expected;
    };
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: whole.length }),
        fc.constantFrom('', ',', '"', '{', '}', '[', ']', ':', ' ', '1', '\\', ',,'),
        fc.integer({ min: 0, max: 2 }),
        async (at, put, cut) => {
          await outcome(whole.slice(0, at) + put + whole.slice(at + cut));
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('parseJsonText', () => {
  test('reads numbers that JSON.parse does not keep in steps', async () => {
    const text = `{"a":[${Array.from({ length: 60_000 }, (_, i) => (i % 3 === 0 ? `123456789012345678${i % 10}` : i % 3 === 1 ? '-0.0' : `"1234567890123456 ${i}"`)).join(',')}]}`;
    const { value, turns } = await turnsDuring(parseJsonText(text, undefined));
    assert.deepEqual(value, atOnce(parseJsonText(text)));
    assert.ok(turns > 5, `${turns} turns`);
  });
});
