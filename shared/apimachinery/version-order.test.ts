import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareVersions } from './version-order.ts';

describe('compareVersions', () => {
  test('sorts releases before betas before alphas, the highest first, and other names last by text', () => {
    const sorted = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'];
    assert.deepEqual(sorted.toReversed().toSorted(compareVersions), sorted);
  });
});
