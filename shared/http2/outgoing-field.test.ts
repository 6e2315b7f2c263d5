import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HeaderEncoder } from './hpack/encoder.ts';
import { encodeFields, type OutgoingField } from './outgoing-field.ts';

function encode(encoder: HeaderEncoder, ...fields: readonly OutgoingField[]): string {
  encoder.begin();
  encodeFields(encoder, fields);
  return encoder.block.toString('hex');
}

describe('encodeFields', () => {
  test('writes names in lower case, and a field that was sent before by its index, whatever its case', () => {
    const encoder = new HeaderEncoder();
    assert.equal(encode(encoder, [':status', '200'], ['X-A', 'b']), '884003782d610162');
    assert.equal(encode(encoder, ['X-A', 'b'], ['x-a', 'b']), 'bebe');
  });

  for (const name of ['connection', 'Keep-Alive', 'Transfer-Encoding', 'upgrade', 'x a', 'x:a', 'jürgen', ''])
    test(`leaves out a field named ${JSON.stringify(name)}, each time`, () => {
      const encoder = new HeaderEncoder();
      for (let turn = 0; turn < 2; turn++) assert.equal(encode(encoder, [name, 'close'], [':status', '404']), '8d');
    });

  for (const value of ['a\nb', 'a\rb', 'a\0b', '\x7f'])
    test(`leaves out a field of the value ${JSON.stringify(value)}, each time`, () => {
      const encoder = new HeaderEncoder();
      for (let turn = 0; turn < 2; turn++) assert.equal(encode(encoder, ['x-a', value], [':status', '404']), '8d');
    });

  test('writes characters that do not fit in one byte as UTF-8', () => {
    const encoder = new HeaderEncoder();
    assert.equal(encode(encoder, ['x-a', '€']), '4003782d6103e282ac');
    assert.equal(encode(encoder, ['x-a', '€']), 'be');
  });
});
