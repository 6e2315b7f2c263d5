import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { conformRestored } from './restore.ts';

const schema = loadFacts().schema('apps', 'v1', 'Deployment');
assert.ok(schema);

function restored(spec: KubeObject[string]): unknown {
  assert.ok(schema);
  return objectAt(atOnce(conformRestored(schema, { metadata: {}, spec }, { strict: false })).object, 'spec');
}

function restoredAs(group: string, version: string, kind: string, object: JsonObject): KubeObject {
  const own = loadFacts().schema(group, version, kind);
  assert.ok(own);
  return atOnce(conformRestored(own, { metadata: {}, ...object }, { strict: false })).object;
}

describe('conformRestored', () => {
  test('keeps a zero time of a pointer beside a number that overflows', () => {
    const spec = { acquireTime: '0001-01-01T00:00:00.000000Z', leaseDurationSeconds: 2 ** 32 + 1 };
    const { spec: made } = restoredAs('coordination.k8s.io', 'v1', 'Lease', { spec });
    assert.deepEqual(made, { acquireTime: null, leaseDurationSeconds: 1 });
  });

  test('sorts the keys of raw JSON, also beside a number that overflows', () => {
    const { data } = restoredAs('apps', 'v1', 'ControllerRevision', { revision: 1e19, data: { b: 1, a: 2 } });
    assert.equal(JSON.stringify(data), '{"a":2,"b":1}');
  });

  test('tells the float64 that a number beyond int64 became, where no int-or-string takes it', () => {
    const budget = (minAvailable: bigint) => () =>
      restoredAs('policy', 'v1', 'PodDisruptionBudget', { spec: { minAvailable } });
    assert.throws(budget(18_446_744_073_709_551_615n), {
      message: 'json: cannot unmarshal number 18446744073709552000 into Go value of type int32',
    });
    assert.throws(budget(9_223_372_036_854_775_807n), {
      message: 'json: cannot unmarshal number 9223372036854775807 into Go value of type int32',
    });
  });

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
