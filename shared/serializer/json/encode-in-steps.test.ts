import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { atOnce, inSlices } from '#shared/apimachinery/slices/slices.ts';
import { jsonTextInSteps } from './encode-in-steps.ts';
import { jsonText } from './encode.ts';
import { looseTextInSteps, rawTextInSteps } from './loose-in-steps.ts';
import { looseText, rawText } from './loose.ts';

const objects: readonly (readonly [group: string, version: string, kind: string, object: JsonObject])[] = [
  [
    '',
    'v1',
    'Pod',
    {
      metadata: { name: 'a', labels: { b: '2', a: '<1>' }, finalizers: [] },
      spec: { containers: [{ name: 'c', env: [], resources: { limits: { cpu: '1' } } }], tolerations: null },
    },
  ],
  ['', 'v1', 'ConfigMap', { metadata: {}, data: { z: '1', a: null }, binaryData: {} }],
  [
    'apiextensions.k8s.io',
    'v1',
    'CustomResourceDefinition',
    {
      metadata: { name: 'a.b' },
      spec: {
        versions: [
          null,
          {
            name: 'v1',
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  a: { type: 'array', items: { type: 'string', default: { z: 1, a: [null] } } },
                  b: { additionalProperties: true },
                  c: { items: [{ type: 'object' }] },
                  d: { additionalProperties: { nullable: true, enum: [1, 'x'] } },
                },
              },
            },
          },
        ],
      },
    },
  ],
];

describe('jsonTextInSteps', () => {
  test('prints what jsonText prints', async () => {
    for (const [group, version, kind, object] of objects) {
      const schema = loadFacts().schema(group, version, kind);
      assert.ok(schema !== undefined);
      assert.equal(atOnce(jsonTextInSteps(schema, object)), jsonText(schema, object));
      assert.equal(await inSlices(jsonTextInSteps(schema, object)), jsonText(schema, object));
      assert.equal(await inSlices(looseTextInSteps(object)), looseText(object));
      assert.equal(await inSlices(rawTextInSteps(object)), rawText(object));
      assert.equal(await inSlices(rawTextInSteps(Object.freeze({ ...object }))), rawText(object));
    }
  });

  test('prints the present keys of a map from which many were deleted', async () => {
    const schema = loadFacts().schema('', 'v1', 'ConfigMap');
    assert.ok(schema !== undefined);
    const keys = Array.from({ length: 300 }, (_, index) => `k${index}`);
    const data: JsonObject = Object.fromEntries(keys.map((key) => [key, 'v']));
    const object: JsonObject = { metadata: { name: 'a', labels: { a: 'b' } }, data };
    assert.equal(await inSlices(jsonTextInSteps(schema, object)), jsonText(schema, object));
    for (const key of keys) delete data[key];
    assert.equal(jsonText(schema, object), '{"metadata":{"name":"a","labels":{"a":"b"}}}');
    assert.equal(await inSlices(jsonTextInSteps(schema, object)), jsonText(schema, object));
  });
});
