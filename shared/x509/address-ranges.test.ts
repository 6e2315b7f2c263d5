import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { AddressRanges, isPrefixMask } from './address-ranges.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('isPrefixMask', () => {
  for (const mask of [
    '00000000',
    '80000000',
    'ffffff00',
    'fffffffe',
    'ffffffff',
    'ffffffffffffffff 0000000000000000',
  ]) {
    test(`accepts ${mask}`, () => assert.equal(isPrefixMask(hex(mask)), true));
  }
  for (const mask of ['ff00ff00', '00000001', '7fffffff', 'fffffffd']) {
    test(`refuses ${mask}`, () => assert.equal(isPrefixMask(hex(mask)), false));
  }
});

describe('AddressRanges', () => {
  for (const [name, range, covered, others] of [
    ['10.0.0.0/8', '0a000000 ff000000', ['0a000000', '0affffff'], ['09ffffff', '0b000000']],
    ['10.0.0.4/30', '0a000004 fffffffc', ['0a000004', '0a000007'], ['0a000003', '0a000008']],
    ['10.0.0.1/32', '0a000001 ffffffff', ['0a000001'], ['0a000000', '0a000002']],
    ['0.0.0.0/0', '00000000 00000000', ['00000000', 'ffffffff'], ['00000000000000000000000000000001']],
  ] as const) {
    test(`covers the first and the last address of ${name}, and none beside`, () => {
      const ranges = new AddressRanges([hex(range)]);
      for (const address of covered) assert.equal(ranges.covers(hex(address)), true, address);
      for (const address of others) assert.equal(ranges.covers(hex(address)), false, address);
    });
  }

  test('covers IPv6 addresses by their prefix', () => {
    const ranges = new AddressRanges([hex('20010db8 00000000 00000000 00000000 ffffffff 00000000 00000000 00000000')]);
    assert.equal(ranges.covers(hex('20010db8 ffffffff ffffffff ffffffff')), true);
    assert.equal(ranges.covers(hex('20010db9 00000000 00000000 00000000')), false);
  });

  test('does not cover an IPv4 address in IPv6 by a range of IPv4', () => {
    const ranges = new AddressRanges([hex('0a000000 ff000000')]);
    assert.equal(ranges.covers(hex('00000000000000000000ffff 0a000001')), false);
  });

  test('covers addresses of any of its ranges', () => {
    const ranges = new AddressRanges([hex('0a000000 ff000000'), hex('c0000200 ffffff00'), hex('0b000000 ff000000')]);
    assert.deepEqual(
      ['0a010101', '0b010101', 'c0000201', 'c0000301'].map((address) => ranges.covers(hex(address))),
      [true, true, true, false],
    );
  });
});
