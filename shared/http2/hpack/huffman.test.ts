import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { decodeHuffman } from './huffman.ts';

function decode(hex: string): string | undefined {
  const bytes = Buffer.from(hex, 'hex');
  const into = Buffer.alloc(bytes.length * 2);
  const length = decodeHuffman(bytes, 0, bytes.length, into);
  return length < 0 ? undefined : into.toString('latin1', 0, length);
}

describe('Huffman decoder of HPACK', () => {
  // RFC 7541 appendices C.4 and C.6.
  for (const [hex, text] of [
    ['f1e3c2e5f23a6ba0ab90f4ff', 'www.example.com'],
    ['a8eb10649cbf', 'no-cache'],
    ['25a849e95ba97d7f', 'custom-key'],
    ['d07abe941054d444a8200595040b8166e082a62d1bff', 'Mon, 21 Oct 2013 20:13:21 GMT'],
    ['9d29ad171863c78f0b97c8e9ae82ae43d3', 'https://www.example.com'],
  ] as const) {
    test(`decodes ${text}`, () => assert.equal(decode(hex), text));
  }

  // The code of "0" is 00000 (appendix B); what follows the last code must be the first bits of EOS, which are ones.
  for (const [name, hex, text] of [
    ['accepts padding of three ones', '07', '0'],
    ['accepts seven ones after 25 bits', '0000007f', '00000'],
    ['rejects padding with a zero', '06', undefined],
    ['rejects padding of eight ones', '07ff', undefined],
    ['rejects padding of a byte alone', 'ff', undefined],
    ['rejects the code of EOS', 'fffffffc', undefined],
  ] as const) {
    test(name, () => assert.equal(decode(hex), text));
  }

  test('decodes nothing from nothing', () => assert.equal(decode(''), ''));

  test('decodes bytes above 0x7f to one character each', () => {
    // RFC 7541 appendix B: the code of 0x80 is fffe6 with 20 bits.
    assert.equal(decode('fffe6f'), '\x80');
  });
});
