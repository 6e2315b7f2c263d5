import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { semanticEqualAs, semanticEqualInSteps } from './deep-equal.ts';

const pod = (container: JsonObject, spec: JsonObject = {}): JsonObject => ({
  metadata: { labels: { a: 'b' } },
  spec: { ...spec, containers: [{ name: 'c', ...container }] },
});

test('values are compared in steps as they are at once', async () => {
  const schema = loadFacts().schema('', 'v1', 'Pod');
  assert.ok(schema !== undefined);
  const objects = [
    pod({}),
    pod({ env: [] }),
    pod({ args: null }),
    pod({ securityContext: {} }),
    pod({ resources: {} }),
    pod({ resources: { limits: { cpu: '1' } } }),
    pod({ resources: { limits: { cpu: '1000m' } } }),
    pod({ resources: { limits: { memory: '1' } } }),
    pod({ stdin: false }),
    pod({ stdin: true }),
    pod({}, { nodeSelector: {} }),
    pod({}, { unknown: 1 }),
    { ...pod({}), metadata: {} },
  ];
  for (const a of objects)
    for (const b of objects) {
      const [left, right] = [structuredClone(a), structuredClone(b)];
      assert.equal(
        await inSlices(semanticEqualInSteps(schema, left, right)),
        semanticEqualAs(schema, left, right),
        JSON.stringify([a, b]),
      );
    }
});
