import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import type { PolicyRule } from './policy-rule.ts';
import { missingRules, countParts } from './rule-cover.ts';

const rule = (lists: Partial<PolicyRule>): PolicyRule => ({
  verbs: [],
  apiGroups: [],
  resources: [],
  resourceNames: [],
  nonResourceURLs: [],
  ...lists,
});
const texts = (count: number): string[] => Array.from({ length: count }, (_, index) => `t${index}`);

describe('countParts', () => {
  test('counts each combination of verb, group, resource and name of the rules', () => {
    assert.equal(countParts([rule({ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'secrets'] })]), 4);
    assert.equal(
      countParts([rule({ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: texts(3) })]),
      3,
    );
    assert.equal(countParts([rule({ verbs: ['get', 'head'], nonResourceURLs: texts(5) }), rule({})]), 10);
    const many = texts(100_000);
    assert.equal(countParts([rule({ verbs: many, apiGroups: many, resources: many, resourceNames: many })]), 1e20);
  });
});

describe('missingRules', () => {
  test('returns the first 10,000 missing parts without making the others', () => {
    const many = texts(1_000);
    const wanted = [rule({ verbs: many, apiGroups: many, resources: many })];
    const missing = atOnce(missingRules([rule({ verbs: ['t0'], apiGroups: ['*'], resources: ['*'] })], wanted));
    assert.equal(missing.length, 10_000);
    assert.deepEqual(missing[0], rule({ verbs: ['t1'], apiGroups: ['t0'], resources: ['t0'] }));
  });

  test('returns nothing for 100,000 names that a held rule covers', () => {
    const names = texts(100_000);
    const held = [rule({ verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: names })];
    assert.deepEqual(atOnce(missingRules(held, held)), []);
  });
});
