import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import {
  bitString,
  context,
  derBoolean,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from './der-writer.ts';

// X.690: the encodings of section 8, as sections 10 and 11 narrow them to DER.
describe('DER writer', () => {
  for (const [name, written, hex] of [
    ['an empty sequence', sequence(), '3000'],
    ['a sequence of two', sequence(Buffer.from([5, 0]), Buffer.from([5, 0])), '300405000500'],
    ['a set', set(Buffer.from([5, 0])), '31020500'],
    ['a boolean of true', derBoolean(true), '0101ff'],
    ['a boolean of false', derBoolean(false), '010100'],
    ['an integer of 0', integer(Buffer.from([0])), '020100'],
    ['an integer of 127', integer(Buffer.from([0x7f])), '02017f'],
    ['an integer of 128 with a leading zero', integer(Buffer.from([0x80])), '02020080'],
    ['an integer without zeros that it does not need', integer(Buffer.from([0, 0, 1])), '020101'],
    ['an octet string', octetString(Buffer.from([1, 2])), '04020102'],
    ['a bit string', bitString(Buffer.from([0xa0]), 5), '030205a0'],
    ['text outside of ASCII', utf8String('ü'), '0c02c3bc'],
    ['an implicit context tag', context(1, Buffer.from([7]), false), '810107'],
    ['an explicit context tag', context(3, Buffer.from([5, 0]), true), 'a3020500'],
    ['2.5.4.3', objectIdentifier('2.5.4.3'), '0603550403'],
    ['1.2.840.113549.1.1.11', objectIdentifier('1.2.840.113549.1.1.11'), '06092a864886f70d01010b'],
    ['1.3.6.1.4.1.311', objectIdentifier('1.3.6.1.4.1.311'), '06072b060104018237'],
    ['the last arc of one byte', objectIdentifier('1.2.127'), '06022a7f'],
    ['the first arc of two bytes', objectIdentifier('1.2.128'), '06032a8100'],
  ] as const) {
    test(`writes ${name}`, () => assert.equal(written.toString('hex'), hex));
  }

  for (const [length, head] of [
    [127, '047f'],
    [128, '048180'],
    [255, '0481ff'],
    [256, '04820100'],
    [65_535, '0482ffff'],
    [65_536, '0483010000'],
  ] as const) {
    test(`writes the length ${length} in its shortest form`, () => {
      const written = octetString(Buffer.alloc(length));
      assert.equal(written.subarray(0, written.length - length).toString('hex'), head);
    });
  }

  // RFC 5280 section 4.1.2.5.
  test('writes UTCTime through 2049, and GeneralizedTime from 2050 on', () => {
    assert.equal(time(new Date('2049-12-31T23:59:59Z')).toString('latin1'), '\x17\r491231235959Z');
    assert.equal(time(new Date('2050-01-01T00:00:00Z')).toString('latin1'), '\x18\x0f20500101000000Z');
  });
});
