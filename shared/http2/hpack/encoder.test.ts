import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HeaderEncoder } from './encoder.ts';

function encode(encoder: HeaderEncoder, ...fields: readonly (readonly [name: string, value: string])[]): string {
  encoder.begin();
  for (const [name, value] of fields) encoder.field(name, value);
  return encoder.block.toString('hex');
}

describe('HPACK encoder', () => {
  test('writes fields of the static table by their index (RFC 7541 appendix A)', () => {
    assert.equal(encode(new HeaderEncoder(), [':status', '200'], [':status', '404']), '888d');
  });

  test('writes a new field with incremental indexing, and by index 62 afterwards', () => {
    const encoder = new HeaderEncoder();
    assert.equal(encode(encoder, ['x-a', 'b']), '4003782d610162');
    assert.equal(encode(encoder, ['x-a', 'b']), 'be');
    encode(encoder, ['x-b', 'c']);
    assert.equal(encode(encoder, ['x-a', 'b'], ['x-b', 'c']), 'bfbe');
  });

  test('keeps values of 512 bytes, and none of 513', () => {
    for (const [length, again] of [
      [512, 'be'],
      [513, undefined],
    ] as const) {
      const encoder = new HeaderEncoder();
      const field = ['x-a', 'v'.repeat(length)] as const;
      const first = encode(encoder, field);
      assert.equal(encode(encoder, field), again ?? first, `${length}`);
    }
  });

  test('never keeps fields whose values hardly repeat', () => {
    const encoder = new HeaderEncoder();
    const first = encode(encoder, ['audit-id', 'a']);
    assert.equal(encode(encoder, ['audit-id', 'a']), first);
  });

  test('tells a smaller table size at the start of the next block, once', () => {
    const encoder = new HeaderEncoder();
    encoder.setTableSize(0);
    assert.equal(encode(encoder, [':status', '200']), '2088');
    assert.equal(encode(encoder, [':status', '200']), '88');
  });

  test('tells the smallest of several table sizes and the last (RFC 7541 section 4.2)', () => {
    const encoder = new HeaderEncoder();
    for (const size of [100, 10, 50]) encoder.setTableSize(size);
    assert.equal(encode(encoder, [':status', '200']), '2a3f1388');
  });

  test('uses a table of 4096 bytes, however large one the client allows', () => {
    const encoder = new HeaderEncoder();
    encoder.setTableSize(2 ** 32 - 1);
    assert.equal(encode(encoder, [':status', '200']), '88');
  });
});
