import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { mergeTolerations } from './tolerations.ts';

interface Toleration {
  readonly key: string;
  readonly operator: string;
  readonly effect: string;
  readonly value: string;
  readonly tolerationSeconds?: number;
}

const toleration: fc.Arbitrary<Toleration> = fc.record(
  {
    key: fc.constantFrom('', 'a', 'b'),
    operator: fc.constantFrom('', 'Exists', 'Equal', 'Lt'),
    effect: fc.constantFrom('', 'NoExecute', 'NoSchedule'),
    value: fc.constantFrom('', '1'),
    tolerationSeconds: fc.integer({ min: 0, max: 2 }),
  },
  { requiredKeys: ['key', 'operator', 'effect', 'value'] },
);

const fieldsOf = ({ key, operator, effect, value, tolerationSeconds }: Toleration): readonly unknown[] => [
  key,
  operator,
  effect,
  value,
  tolerationSeconds,
];
const isSame = (a: Toleration, b: Toleration): boolean => JSON.stringify(fieldsOf(a)) === JSON.stringify(fieldsOf(b));

/** The rule for one pair (k8s.io/kubernetes/pkg/util/tolerations, isSuperset). */
function covers(other: Toleration, item: Toleration): boolean {
  if (isSame(other, item)) return true;
  const anyKey = other.key === '' && other.operator === 'Exists';
  if ((other.key !== item.key && !anyKey) || (other.effect !== item.effect && other.effect !== '')) return false;
  if (
    other.effect === 'NoExecute' &&
    other.tolerationSeconds !== undefined &&
    (item.tolerationSeconds ?? Infinity) > other.tolerationSeconds
  )
    return false;
  return (
    other.operator === 'Exists' ||
    (['', 'Equal'].includes(other.operator) && item.operator === 'Equal' && item.value === other.value)
  );
}

describe('mergeTolerations', () => {
  test('drops the same tolerations as a pairwise comparison', () => {
    fc.assert(
      fc.property(fc.array(toleration, { maxLength: 7 }), fc.array(toleration, { maxLength: 7 }), (first, second) => {
        const all = [...first, ...second];
        const kept: Toleration[] = [];
        for (const [index, item] of all.entries()) {
          if (
            kept.some((other) => covers(other, item)) ||
            all.slice(index + 1).some((other) => !isSame(other, item) && covers(other, item))
          )
            continue;
          kept.push(item);
        }
        assert.deepEqual(mergeTolerations(first as unknown as JsonObject[], second as unknown as JsonObject[]), kept);
      }),
      { numRuns: 1_000 },
    );
  });
});
