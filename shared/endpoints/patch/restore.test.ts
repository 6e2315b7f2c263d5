import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { objectAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { conformRestored } from './restore.ts';

const schema = loadFacts().schema('apps', 'v1', 'Deployment');
assert.ok(schema);

function restored(spec: KubeObject[string]): unknown {
  assert.ok(schema);
  return objectAt(atOnce(conformRestored(schema, { metadata: {}, spec }, { strict: false })).object, 'spec');
}

describe('conformRestored', () => {
  // As kube-apiserver answers applies and strategic patches: a number beyond int64 is a float64, which becomes the lowest.
  for (const { sent, replicas, grace } of [
    { sent: 1e19, replicas: 0, grace: -9_223_372_036_854_775_808n },
    { sent: 18_446_744_073_709_551_615n, replicas: 0, grace: -9_223_372_036_854_775_808n },
    { sent: 9_223_372_036_854_775_807n, replicas: -1, grace: 9_223_372_036_854_775_807n },
    { sent: 9_007_199_254_740_993n, replicas: 1, grace: 9_007_199_254_740_993n },
    { sent: 9_007_199_254_740_994, replicas: 2, grace: 9_007_199_254_740_994n },
  ])
    test(`makes ${sent} ${replicas} in an int32, and ${grace} in an int64`, () => {
      assert.deepEqual(restored({ replicas: sent, template: { spec: { terminationGracePeriodSeconds: sent } } }), {
        replicas,
        template: { spec: { terminationGracePeriodSeconds: grace } },
      });
    });
});
