import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { CompressionError, HeaderDecoder } from './decoder.ts';

function decode(decoder: HeaderDecoder, ...bytes: readonly (number | string)[]): string[] {
  const fields: string[] = [];
  const block = bytes.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from([part])));
  decoder.decode(Buffer.concat(block), { field: (name, value) => fields.push(`${name}: ${value}`) });
  decoder.end();
  return fields;
}

/** An integer behind a full prefix (RFC 7541 section 5.1). */
function rest(value: number, prefixBits: number): number[] {
  const bytes: number[] = [];
  let left = value - (2 ** prefixBits - 1);
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  return [...bytes, left];
}

const literal = 0x00;
const indexedLiteral = 0x40;

describe('HPACK decoder limits', () => {
  test('accepts a string of the longest length, and rejects one byte more', () => {
    const value = (length: number) => [literal, 1, 'a', length, 'v'.repeat(length)];
    assert.deepEqual(decode(new HeaderDecoder(100), ...value(100)), [`a: ${'v'.repeat(100)}`]);
    assert.throws(() => decode(new HeaderDecoder(100), ...value(101)), CompressionError);
    const name = (length: number) => [literal, length, 'n'.repeat(length), 1, 'v'];
    assert.deepEqual(decode(new HeaderDecoder(100), ...name(100)), [`${'n'.repeat(100)}: v`]);
    assert.throws(() => decode(new HeaderDecoder(100), ...name(101)), CompressionError);
  });

  test('accepts a table size of 4096, and rejects 4097', () => {
    assert.deepEqual(decode(new HeaderDecoder(100), 0x3f, ...rest(4_096, 5), 0x82), [':method: GET']);
    assert.throws(() => decode(new HeaderDecoder(100), 0x3f, ...rest(4_097, 5)), CompressionError);
  });

  test('accepts the last static and the last dynamic index, and rejects the next', () => {
    const decoder = new HeaderDecoder(100);
    assert.deepEqual(decode(decoder, 0x80 | 61), ['www-authenticate: ']);
    assert.throws(() => decode(new HeaderDecoder(100), 0x80 | 62), CompressionError);
    decode(decoder, indexedLiteral, 1, 'a', 1, 'b');
    assert.deepEqual(decode(decoder, 0x80 | 62), ['a: b']);
    assert.throws(() => decode(decoder, 0x80 | 63), CompressionError);
  });

  test('keeps an entry of 4096 bytes, and evicts all for one byte more (RFC 7541 section 4.4)', () => {
    const decoder = new HeaderDecoder(10_000);
    const entry = (length: number) => [indexedLiteral, 1, 'a', 0x7f, ...rest(length, 7), 'v'.repeat(length)];
    const longest = 4_096 - 32 - 1;
    decode(decoder, ...entry(longest));
    assert.deepEqual(decode(decoder, 0x80 | 62), [`a: ${'v'.repeat(longest)}`]);
    assert.deepEqual(decode(decoder, ...entry(longest + 1)), [`a: ${'v'.repeat(longest + 1)}`]);
    assert.throws(() => decode(decoder, 0x80 | 62), CompressionError);
  });

  test('accepts an integer of five further bytes, and rejects six', () => {
    const zeros = (count: number) => [0x3f, ...Array.from({ length: count - 1 }, () => 0x80), 0];
    assert.deepEqual(decode(new HeaderDecoder(100), ...zeros(5), 0x82), [':method: GET']);
    assert.throws(() => decode(new HeaderDecoder(100), ...zeros(6)), CompressionError);
  });

  test('accepts several table sizes at the start of a block, and rejects one after a field', () => {
    const decoder = new HeaderDecoder(100);
    decode(decoder, indexedLiteral, 1, 'a', 1, 'b');
    assert.deepEqual(decode(decoder, 0x20, 0x3f, ...rest(100, 5), 0x82), [':method: GET']);
    decode(decoder, indexedLiteral, 1, 'a', 1, 'b');
    assert.throws(() => decode(decoder, 0x82, 0x20), CompressionError);
  });

  test('keeps fields with incremental indexing only', () => {
    for (const [first, isKept] of [
      [0x40, true],
      [0x00, false],
      [0x10, false],
    ] as const) {
      const decoder = new HeaderDecoder(100);
      assert.deepEqual(decode(decoder, first, 1, 'a', 1, 'b'), ['a: b']);
      if (isKept) assert.deepEqual(decode(decoder, 0x80 | 62), ['a: b']);
      else assert.throws(() => decode(decoder, 0x80 | 62), CompressionError);
    }
  });
});
