import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canonicalAddress, numberToAddress, parseRange, usableBounds } from './address-range.ts';

function bounds(cidr: string): string[] {
  const range = parseRange(cidr);
  assert.ok(range);
  const { low, high } = usableBounds(range);
  return [numberToAddress(low, range.family), numberToAddress(high, range.family)];
}

describe('usableBounds', () => {
  // The reference refuses 10.0.0.0 and 10.0.255.255 of 10.0.0.0/16 and gives the Service `kubernetes` 10.0.0.1.
  test('excludes the network and the broadcast address of an IPv4 range', () => {
    assert.deepEqual(bounds('10.0.0.0/16'), ['10.0.0.1', '10.0.255.254']);
  });

  test('excludes only the network address of an IPv6 range', () => {
    assert.deepEqual(bounds('fd00::/108'), ['fd00::1', 'fd00::f:ffff']);
  });
});

describe('parseRange', () => {
  test('returns undefined for text that is not a CIDR', () => {
    for (const text of ['10.0.0.0', '10.0.0.0/33', '10.0.0/8', 'fd00::/129', ''])
      assert.equal(parseRange(text), undefined, text);
  });
});

describe('canonicalAddress', () => {
  test('writes IPv6 addresses as RFC 5952 recommends', () => {
    assert.equal(canonicalAddress('2001:DB8:0:0:1:0:0:1'), '2001:db8::1:0:0:1');
    assert.equal(canonicalAddress('fd00::0001'), 'fd00::1');
  });

  test('ignores leading zeros, which old clients write', () => {
    assert.equal(canonicalAddress('10.0.0.011'), '10.0.0.11');
    assert.equal(canonicalAddress('::ffff:010.0.0.1'), '::ffff:a00:1');
    assert.deepEqual(bounds('010.0.0.0/16'), ['10.0.0.1', '10.0.255.254']);
  });
});
