import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { DerError } from './der.ts';
import { readPolicyConstraints } from './policies.ts';

/** The value of the extension (RFC 5280 section 4.2.1.11) with one number of so many bytes. */
function constraints(tag: number, ...number: readonly number[]): Buffer {
  return Buffer.from([0x30, number.length + 2, tag, number.length, ...number]);
}

const [requireExplicitPolicy, inhibitPolicyMapping] = [0x80, 0x81];
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

describe('readPolicyConstraints', () => {
  test('reads both numbers, and leaves out what is missing', () => {
    assert.deepEqual(readPolicyConstraints(constraints(requireExplicitPolicy, 3)), {
      requireExplicitPolicy: 3,
      inhibitPolicyMapping: undefined,
    });
    assert.deepEqual(readPolicyConstraints(constraints(inhibitPolicyMapping, 0)), {
      requireExplicitPolicy: undefined,
      inhibitPolicyMapping: 0,
    });
  });

  test('reads numbers of 1 to 8 bytes with their sign, and refuses 0 and 9 bytes', () => {
    const read = (...number: readonly number[]): number | undefined =>
      readPolicyConstraints(constraints(requireExplicitPolicy, ...number)).requireExplicitPolicy;
    assert.deepEqual([read(0x7f), read(0x80), read(...zeros(7), 5)], [127, -128, 5]);
    assert.throws(() => read(), DerError);
    assert.throws(() => read(...zeros(8), 5), DerError);
  });
});
