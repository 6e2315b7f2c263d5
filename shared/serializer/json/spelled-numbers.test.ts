import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { holdsFloats, isFloatIn } from '#shared/apimachinery/json/whole-floats.ts';
import { atOnce, inSlices } from '#shared/apimachinery/slices/slices.ts';
import { turnsDuring } from '#shared/apimachinery/slices/testing/turns-during.ts';
import {
  mayHoldWholeFloats,
  parseSpelled,
  plainNumbers,
  plainNumbersOfCustom,
  spelledText,
  spelling,
} from './spelled-numbers.ts';

describe('parseSpelled', () => {
  test('keeps the text of numbers that Go prints differently', () => {
    const text = '{"a":[1,1.5,1.0,1e3,-0,false,null,"1.0"],"b":12345678901234567,"c":1e400}';
    const value = atOnce(parseSpelled(text)) as { a: string[]; b: bigint; c: string };
    assert.deepEqual(
      value.a.map((item) => spelling(item) ?? item),
      [1, 1.5, '1.0', '1e3', '-0', false, null, '1.0'],
    );
    assert.deepEqual(
      value.a.map((item) => spelling(item) !== undefined),
      [false, false, true, true, true, false, false, false],
    );
    assert.equal(value.b, 12345678901234567n);
    assert.equal(spelledText(JSON.stringify(value.a)), '[1,1.5,1.0,1e3,-0,false,null,"1.0"]');
    assert.deepEqual(plainNumbers(atOnce(parseSpelled('[1.0,{"a":-0},[1e3]]'))), [1, { a: 0 }, [1000]]);
    assert.equal(plainNumbers(atOnce(parseSpelled('1.0'))), 1);
  });
});

describe('plainNumbersOfCustom', () => {
  test('reads long texts in steps and remembers where whole floats stand, up to 10,000', async () => {
    const text = `{"a":[${Array.from({ length: 30_000 }, (_, index) => (index % 2 === 0 ? '1.0' : '2')).join(',')}],"b":{"c":1.5,"d":[[1e0]]}}`;
    const { value, turns } = await turnsDuring(
      (function* () {
        return yield* plainNumbersOfCustom(yield* parseSpelled(text));
      })(),
    );
    assert.ok(turns > 5, `${turns} turns`);
    assert.deepEqual(value, JSON.parse(text));
    const { a, b } = value as { a: number[]; b: { d: number[][] } };
    assert.deepEqual(
      [isFloatIn(a, '0'), isFloatIn(a, '1'), isFloatIn(b, 'c'), isFloatIn(b.d[0], '0')],
      [true, false, false, true],
    );
    assert.deepEqual([value, a, b, b.d].map(holdsFloats), [true, true, true, true]);
    assert.equal(isFloatIn(a, '29998'), false, 'of one body, ten thousand are remembered');
    assert.equal(holdsFloats(await inSlices(plainNumbersOfCustom(atOnce(parseSpelled('{"a":[1,1.5]}'))))), false);
    assert.equal(holdsFloats(await inSlices(plainNumbersOfCustom(atOnce(parseSpelled('{"a":[1e308,-1e19]}'))))), false);
    assert.deepEqual(['{"a":1.50}', '{"a":1}', '{"a":-1.0}', '[1.00000000000000000]', '1e3'].map(mayHoldWholeFloats), [
      false,
      false,
      true,
      true,
      true,
    ]);
  });
});
