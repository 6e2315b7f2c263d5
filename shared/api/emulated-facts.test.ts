import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { factsAsOf } from './emulated-facts.ts';
import { loadFacts } from './load-facts.ts';

const facts = loadFacts();

describe('factsAsOf', () => {
  test("returns the same facts for the product's own release", () => {
    assert.equal(factsAsOf(facts, { emulation: '1.36', minCompatibility: '1.35' }), facts);
  });

  test('removes deprecations that came after the emulated release', () => {
    const older = factsAsOf(facts, { emulation: '1.34', minCompatibility: '1.33' });
    const deprecation = (version: string, resource: string): (string | undefined)[] =>
      [facts, older].map((some) => some.resource('resource.k8s.io', version, resource)?.deprecatedIn);
    assert.deepEqual(deprecation('v1beta1', 'resourceslices'), ['1.35', undefined]);
    assert.deepEqual(
      [facts, older].map((some) => some.resource('', 'v1', 'endpoints')?.deprecatedIn),
      ['1.33', '1.33'],
    );
  });
});
