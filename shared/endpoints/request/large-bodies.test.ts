import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { canonicalObject } from '#shared/apimachinery/managed-fields/canonical-object.ts';
import { applyStrategicMergePatch } from '#shared/apimachinery/patch/strategic-merge.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { turnsDuring } from '#shared/apimachinery/slices/testing/turns-during.ts';
import { applyDefaults } from '#shared/serializer/defaults.ts';

const facts = loadFacts();
const deployment = facts.schema('apps', 'v1', 'Deployment') as StructSchema;

function manyContainers(count: number): JsonObject {
  const container = (at: number): JsonObject =>
    at % 2 === 0 ? {} : { name: `c${at}`, env: [], ports: [{ containerPort: at }], resources: { limits: {} } };
  return {
    metadata: { name: 'a', labels: {} },
    spec: { template: { spec: { containers: Array.from({ length: count }, (_, at) => container(at)) } } },
  };
}

async function inManyTurns<T>(steps: Steps<T>): Promise<void> {
  const { turns } = await turnsDuring(steps);
  assert.ok(turns > 3, `${turns} turns`);
}

describe('large objects', () => {
  test('get the same defaults in slices as at once', async () => {
    const [sliced, once] = [manyContainers(30_000), manyContainers(30_000)];
    await inManyTurns(applyDefaults(deployment, sliced));
    atOnce(applyDefaults(deployment, once));
    assert.deepEqual(sliced, once);
  });

  test("are printed in their Go type's form in slices as at once", async () => {
    const object = manyContainers(30_000);
    let sliced: JsonObject | undefined;
    await inManyTurns(
      (function* keep() {
        sliced = yield* canonicalObject(deployment, object);
      })(),
    );
    assert.deepEqual(sliced, atOnce(canonicalObject(deployment, object)));
  });

  test('lose nulls and directives of a strategic merge patch in slices', async () => {
    const patch = (): JsonObject => ({
      metadata: {
        labels: Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`k${at}`, at % 3 === 0 ? null : 'v'])),
        ownerReferences: [
          { uid: 'a', name: null },
          { $patch: 'delete', uid: 'b' },
        ],
      },
    });
    const merge = (): Steps<JsonObject> => applyStrategicMergePatch(deployment, { metadata: {} }, patch());
    await inManyTurns(merge());
    const { metadata } = atOnce(merge()) as { metadata: { labels: JsonObject; ownerReferences: JsonObject[] } };
    assert.equal(Object.keys(metadata.labels).length, 40_000);
    assert.deepEqual(metadata.ownerReferences, [{ uid: 'a' }]);
  });
});
