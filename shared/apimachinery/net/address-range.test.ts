import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalAddress, numberToAddress, parseRange, usableBounds } from './address-range.ts';

function bounds(cidr: string): string[] {
  const range = parseRange(cidr);
  assert.ok(range);
  const { low, high } = usableBounds(range);
  return [numberToAddress(low, range.family), numberToAddress(high, range.family)];
}

// The reference refuses 10.0.0.0 and 10.0.255.255 of 10.0.0.0/16 and gives the Service `kubernetes` 10.0.0.1.
test('a range gives out neither its network nor its broadcast address', () => {
  assert.deepEqual(bounds('10.0.0.0/16'), ['10.0.0.1', '10.0.255.254']);
});

test('a range of IPv6 has no broadcast address', () => {
  assert.deepEqual(bounds('fd00::/108'), ['fd00::1', 'fd00::f:ffff']);
});

test('what is no CIDR is no range', () => {
  for (const text of ['10.0.0.0', '10.0.0.0/33', '10.0.0/8', 'fd00::/129', ''])
    assert.equal(parseRange(text), undefined, text);
});

test('addresses are written as RFC 5952 has it', () => {
  assert.equal(canonicalAddress('2001:DB8:0:0:1:0:0:1'), '2001:db8::1:0:0:1');
  assert.equal(canonicalAddress('fd00::0001'), 'fd00::1');
});

test('leading zeros say nothing, as old clients write them', () => {
  assert.equal(canonicalAddress('10.0.0.011'), '10.0.0.11');
  assert.equal(canonicalAddress('::ffff:010.0.0.1'), '::ffff:a00:1');
  assert.deepEqual(bounds('010.0.0.0/16'), ['10.0.0.1', '10.0.255.254']);
});
