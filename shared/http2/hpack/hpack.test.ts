import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CompressionError, HeaderDecoder } from './decoder.ts';
import { HeaderEncoder } from './encoder.ts';

type Fields = readonly (readonly [name: string, value: string])[];

function decode(decoder: HeaderDecoder, parts: Iterable<Buffer>): Fields {
  const fields: [string, string][] = [];
  for (const part of parts) decoder.decode(part, { field: (name, value) => fields.push([name, value]) });
  decoder.end();
  return fields;
}

function encode(encoder: HeaderEncoder, fields: Fields): Buffer {
  encoder.begin();
  for (const [name, value] of fields) encoder.field(name, value);
  return Buffer.from(encoder.block);
}

const first: Fields = [
  [':method', 'GET'],
  [':scheme', 'http'],
  [':path', '/'],
  [':authority', 'www.example.com'],
];
/** RFC 7541 appendix C.3 and C.4: three requests on a connection, without and with Huffman's code. */
const requests: readonly (readonly [plain: string, coded: string, fields: Fields])[] = [
  ['828684410f7777772e6578616d706c652e636f6d', '828684418cf1e3c2e5f23a6ba0ab90f4ff', first],
  ['828684be58086e6f2d6361636865', '828684be5886a8eb10649cbf', [...first, ['cache-control', 'no-cache']]],
  [
    '828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565',
    '828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf',
    [
      [':method', 'GET'],
      [':scheme', 'https'],
      [':path', '/index.html'],
      [':authority', 'www.example.com'],
      ['custom-key', 'custom-value'],
    ],
  ],
];

describe('HPACK decoder with the examples of RFC 7541', () => {
  for (const [form, at] of [
    ['plain', 0],
    ['Huffman-coded', 1],
  ] as const) {
    test(`decodes the ${form} requests, whole and byte by byte`, () => {
      const [whole, pieces] = [new HeaderDecoder(1000), new HeaderDecoder(1000)];
      for (const request of requests) {
        const block = Buffer.from(request[at], 'hex');
        assert.deepEqual(decode(whole, [block]), request[2]);
        assert.deepEqual(
          decode(
            pieces,
            Array.from(block, (byte) => Buffer.from([byte])),
          ),
          request[2],
        );
      }
    });
  }
});

describe('HPACK encoder', () => {
  test('encodes blocks that the decoder reads back, with every table size and split', () => {
    const name = fc.constantFrom(':status', 'content-type', 'audit-id', 'x-a', 'x-b', 'date');
    const value = fc.oneof(
      fc.constantFrom('', '200', 'application/json', 'a'.repeat(300), 'b'.repeat(2000)),
      fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
    );
    const block = fc.record({
      size: fc.constantFrom(undefined, 0, 40, 200, 4096, 65_536),
      fields: fc.array(fc.tuple(name, value), { maxLength: 12 }),
      cut: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 12 }), (blocks) => {
        const encoder = new HeaderEncoder();
        const decoder = new HeaderDecoder(10_000);
        for (const { size, fields, cut } of blocks) {
          if (size !== undefined) encoder.setTableSize(size);
          const bytes = encode(encoder, fields);
          const parts = Array.from({ length: Math.ceil(bytes.length / cut) }, (_, at) =>
            bytes.subarray(at * cut, (at + 1) * cut),
          );
          assert.deepEqual(decode(decoder, parts), fields);
        }
      }),
    );
  });

  test('encodes a repeated field in one byte', () => {
    const encoder = new HeaderEncoder();
    const fields: Fields = [
      [':status', '200'],
      ['content-type', 'application/json'],
      ['cache-control', 'no-cache, private'],
    ];
    encode(encoder, fields);
    assert.equal(encode(encoder, fields).length, fields.length);
  });
});

describe('HPACK decoder', () => {
  for (const [what, hex] of [
    ['an index of 0', '80'],
    ['an index beyond the tables', 'c0'],
    ['a table size update over the limit', '3fe21f'],
    ['a table size update after a field', '400161016220'],
    ['an integer that never ends', 'ffffffffffffffff'],
    ['a string over the limit', '0001617f8107'],
    ['the Huffman code of EOS', '000184ffffffff'],
    ['Huffman padding of zeros', '00018118'],
    ['Huffman padding of more than seven bits', '000182ffff'],
  ] as const) {
    test(`rejects ${what}`, () =>
      assert.throws(() => decode(new HeaderDecoder(100), [Buffer.from(hex, 'hex')]), CompressionError));
  }

  test('rejects a block that ends within a field, whole or split', () => {
    const block = Buffer.from(requests[0]?.[1] ?? '', 'hex').subarray(0, -1);
    assert.throws(() => decode(new HeaderDecoder(1000), [block]), CompressionError);
    assert.throws(
      () =>
        decode(
          new HeaderDecoder(1000),
          Array.from(block, (byte) => Buffer.from([byte])),
        ),
      CompressionError,
    );
  });
});
