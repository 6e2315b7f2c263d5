import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ProtobufError, ProtobufReader } from './protobuf-reader.ts';
import { ProtobufWriter } from './protobuf-writer.ts';
import { bigVarintLength, tagBytes, varintBytes, varintLength } from './varint.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

// From the encoding page of protobuf.dev, and the borders of each length.
const varints: readonly (readonly [value: bigint, hex: string])[] = [
  [0n, '00'],
  [1n, '01'],
  [127n, '7f'],
  [128n, '8001'],
  [150n, '9601'],
  [16_383n, 'ff7f'],
  [16_384n, '808001'],
  [(1n << 28n) - 1n, 'ffffff7f'],
  [1n << 28n, '8080808001'],
  [(1n << 31n) - 1n, 'ffffffff07'],
  [1n << 32n, '8080808010'],
  [(1n << 35n) - 1n, 'ffffffff7f'],
  [1n << 35n, '808080808001'],
  [(1n << 53n) - 1n, 'ffffffffffffff0f'],
  [(1n << 53n) + 1n, '8180808080808010'],
  [1n << 63n, '80808080808080808001'],
  [(1n << 64n) - 1n, 'ffffffffffffffffff01'],
];

describe('varint', () => {
  test('has the bytes and the length of the protobuf encoding', () => {
    for (const [value, hex] of varints) {
      assert.equal(bigVarintLength(value), hex.length / 2, hex);
      if (value > Number.MAX_SAFE_INTEGER) continue;
      assert.equal(Buffer.from(varintBytes(Number(value))).toString('hex'), hex);
      assert.equal(varintLength(Number(value)), hex.length / 2, hex);
    }
  });

  test('makes the key of a field of its number and wire type', () => {
    assert.equal(Buffer.from(tagBytes(1, 0)).toString('hex'), '08');
    assert.equal(Buffer.from(tagBytes(2, 2)).toString('hex'), '12');
    assert.equal(Buffer.from(tagBytes(16, 2)).toString('hex'), '8201');
  });
});

describe('ProtobufReader', () => {
  test('reads varints up to 64 bits', () => {
    for (const [value, hex] of varints) {
      const reader = new ProtobufReader(bytes(hex));
      assert.equal(reader.varintBig(hex.length / 2), value);
      assert.equal(reader.position, hex.length / 2);
      if (value <= Number.MAX_SAFE_INTEGER)
        assert.equal(new ProtobufReader(bytes(hex)).varint(hex.length / 2), Number(value));
    }
  });

  test('reads negative numbers of ten bytes', () => {
    assert.equal(new ProtobufReader(bytes('feffffffffffffffff01')).int64(10), -2);
    assert.equal(new ProtobufReader(bytes('80808080808080808001')).int64(10), -(2n ** 63n));
  });

  test('refuses a varint that is cut off, or longer than ten bytes', () => {
    for (const read of ['varint', 'varintBig'] as const) {
      for (const hex of ['', '80', '8080808080'])
        assert.throws(() => new ProtobufReader(bytes(hex))[read](hex.length / 2), new ProtobufError('unexpected EOF'));
      assert.throws(
        () => new ProtobufReader(bytes('8080808080808080808001'))[read](11),
        new ProtobufError('proto: integer overflow'),
      );
    }
  });

  test('skips fields of every wire type, groups too', () => {
    for (const [wireType, hex] of [
      [0, '9601'],
      [1, '0102030405060708'],
      [2, '03010203'],
      [3, '08011b10011c0c'],
      [5, '01020304'],
    ] as const) {
      const reader = new ProtobufReader(bytes(hex));
      reader.skip(wireType, hex.length / 2);
      assert.equal(reader.position, hex.length / 2, `wire type ${wireType}`);
    }
    assert.throws(() => new ProtobufReader(bytes('')).skip(7, 0), new ProtobufError('proto: illegal wireType 7'));
  });

  test('refuses a length beyond the end', () => {
    assert.throws(() => new ProtobufReader(bytes('0401')).block(2), new ProtobufError('unexpected EOF'));
  });
});

describe('ProtobufWriter', () => {
  test('writes from the end to the start, and leaves headroom', () => {
    const writer = new ProtobufWriter(16);
    const before = writer.written;
    writer.varint(writer.text('testing'));
    writer.bytes(tagBytes(2, 2));
    assert.equal(writer.written - before, 9);
    assert.equal(writer.copy(1).subarray(1).toString('hex'), '120774657374696e67');
  });

  test('writes varints up to 64 bits, negative ones in ten bytes', () => {
    for (const [value, hex] of [...varints, [-2n, 'feffffffffffffffff01'] as const]) {
      const writer = new ProtobufWriter(4);
      if (value >= 0n) writer.varintBig(value);
      else writer.varint(Number(value));
      assert.equal(writer.copy().toString('hex'), hex);
    }
  });

  test('puts large values in their place', () => {
    const writer = new ProtobufWriter(16);
    const large = Buffer.alloc(100_000, 'x');
    writer.text('c');
    writer.bytes(large);
    writer.text('b');
    writer.bytes(large);
    writer.text('a');
    assert.equal(writer.copy().toString(), `a${large.toString()}b${large.toString()}c`);
    writer.reset();
    writer.text('d');
    assert.equal(writer.copy().toString(), 'd');
  });
});
