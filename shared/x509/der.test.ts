import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DerError, DerReader, onlySequence, undefinedIfMalformed } from './der.ts';

const reader = (...bytes: readonly number[]): DerReader => new DerReader(Buffer.from(bytes));

describe('DerReader', () => {
  test('reads values one after the other', () => {
    const all = reader(2, 1, 0x80, 2, 2, 0, 0x80, 1, 1, 0xff, 3, 2, 0, 7, 6, 1, 0x2a, 0x30, 0);
    assert.equal(all.integer(), -128n);
    assert.equal(all.integer(), 128n);
    assert.equal(all.boolean(), true);
    assert.deepEqual(all.bits(), Buffer.from([7]));
    assert.deepEqual(reader(3, 3, 4, 0x12, 0x30).bits(), Buffer.from([0x01, 0x23]));
    assert.equal(reader(0x30, 4, 6, 1, 0x2a, 5).sequence().identifier(), '2a');
    assert.equal(all.optional(5), undefined);
    assert.equal(all.identifier(), '2a');
    assert.equal(all.sequence().isAtEnd(), true);
    assert.equal(all.isAtEnd(), true);
    const long = Buffer.concat([Buffer.from([4, 0x81, 0x80]), Buffer.alloc(0x80)]);
    assert.equal(new DerReader(long).next().content.length, 0x80);
  });

  test('rejects truncated values and those not in their shortest form', () => {
    for (const read of [
      () => reader().next(),
      () => reader(2, 2, 0).next(),
      () => reader(4, 0x81, 1, 0).next(),
      () => reader(4, 0x82, 0, 1, 0).next(),
      () => reader(4, 0x80).next(),
      () => new DerReader(Buffer.concat([Buffer.from([4, 0x80]), Buffer.alloc(0x80)])).next(),
      () => reader(0x1f, 1, 0).next(),
      () => reader(2, 0).integer(),
      () => reader(2, 2, 0, 1).integer(),
      () => reader(2, 2, 0xff, 0x80).integer(),
      () => reader(1, 1, 1).boolean(),
      () => reader(3, 2, 1, 3).bits(),
      () => reader(3, 1, 1).bits(),
      () => reader(3, 0).bits(),
      () => reader(6, 1, 0x80).identifier(),
      () => reader(6, 2, 0x80, 1).identifier(),
      () => reader(6, 5, 0x90, 0x80, 0x80, 0x80, 0).identifier(),
      () => reader(4, 0).take(5),
      () => onlySequence(Buffer.from([0x30, 0, 0])),
    ])
      assert.throws(read, DerError);
  });
});

describe('undefinedIfMalformed', () => {
  test('returns undefined for malformed DER, and throws other errors on', () => {
    assert.equal(
      undefinedIfMalformed(() => reader().next()),
      undefined,
    );
    assert.throws(
      () =>
        undefinedIfMalformed(() => {
          throw new TypeError('other');
        }),
      TypeError,
    );
  });
});
