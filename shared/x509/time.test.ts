import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { DerError, DerReader } from './der.ts';
import { readTimeMs } from './time.ts';

const [utcTime, generalizedTime] = [0x17, 0x18];

function read(tag: number, text: string): number {
  return readTimeMs(new DerReader(Buffer.concat([Buffer.from([tag, text.length]), Buffer.from(text)])));
}

describe('readTimeMs', () => {
  // RFC 5280 section 4.1.2.5.1: two-digit years are those from 1950 to 2049.
  for (const [text, iso] of [
    ['500101000000Z', '1950-01-01T00:00:00Z'],
    ['491231235959Z', '2049-12-31T23:59:59Z'],
    ['240229000000Z', '2024-02-29T00:00:00Z'],
    ['2001010000Z', '2020-01-01T00:00:00Z'],
    ['200101000000+0100', '2019-12-31T23:00:00Z'],
    ['200101000000-0130', '2020-01-01T01:30:00Z'],
  ] as const) {
    test(`reads UTCTime ${text} as ${iso}`, () => assert.equal(read(utcTime, text), Date.parse(iso)));
  }

  for (const [text, iso] of [
    ['20500101000000Z', '2050-01-01T00:00:00Z'],
    ['99991231235959Z', '9999-12-31T23:59:59Z'],
    ['19491231235959Z', '1949-12-31T23:59:59Z'],
  ] as const) {
    test(`reads GeneralizedTime ${text}`, () => assert.equal(read(generalizedTime, text), Date.parse(iso)));
  }

  for (const text of [
    '200230000000Z',
    '230229000000Z',
    '200101240000Z',
    '200101006000Z',
    '200101000060Z',
    '200001000000Z',
    '201301000000Z',
    '200101000000+0000',
    '200101000000-0000',
    '200101000000',
    '20200101000000Z',
    '',
  ]) {
    test(`refuses UTCTime "${text}"`, () => assert.throws(() => read(utcTime, text), DerError));
  }

  for (const text of ['200101000000Z', '20200101000000.5Z', '202001010000Z']) {
    test(`refuses GeneralizedTime "${text}"`, () => assert.throws(() => read(generalizedTime, text), DerError));
  }

  test('refuses another type than the two of times', () => {
    assert.throws(() => read(0x16, '200101000000Z'), DerError);
  });
});
