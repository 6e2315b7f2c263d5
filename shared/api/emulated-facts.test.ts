import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsAsOf } from './emulated-facts.ts';
import { loadFacts } from './load-facts.ts';

const facts = loadFacts();

test('the own release has the facts as they are', () => {
  assert.equal(factsAsOf(facts, { emulation: '1.36', minCompatibility: '1.35' }), facts);
});

test('what came to be deprecated later is not deprecated yet', () => {
  const older = factsAsOf(facts, { emulation: '1.34', minCompatibility: '1.33' });
  const deprecation = (version: string, resource: string): (string | undefined)[] =>
    [facts, older].map((some) => some.resource('resource.k8s.io', version, resource)?.deprecatedIn);
  assert.deepEqual(deprecation('v1beta1', 'resourceslices'), ['1.35', undefined]);
  assert.deepEqual(
    [facts, older].map((some) => some.resource('', 'v1', 'endpoints')?.deprecatedIn),
    ['1.33', '1.33'],
  );
});
