import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { atOnce, inSlices } from '#shared/apimachinery/slices/slices.ts';
import { turnsDuring } from '#shared/apimachinery/slices/testing/turns-during.ts';
import { encodeProtobufInSteps } from './encode-in-steps.ts';
import { encodeProtobuf } from './encode.ts';

const metadata: JsonObject = {
  name: 'a',
  labels: { b: '2', a: '', 𐀀: 'x', '\uffff': 'y' },
  finalizers: [null, 'f'],
  ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' }],
  managedFields: [{ manager: 'm', fieldsV1: { 'f:b': { '.': {} }, 'f:a': [1, 'x', null] } }],
};

const objects: readonly (readonly [group: string, version: string, kind: string, object: JsonObject])[] = [
  ['', 'v1', 'ConfigMap', { metadata, data: { z: '1', a: null }, binaryData: { b: 'AAEC', a: null } }],
  [
    '',
    'v1',
    'Pod',
    {
      metadata,
      spec: {
        containers: [
          null,
          {
            name: 'c',
            args: ['', 'x'],
            env: [{ name: 'e', valueFrom: { fieldRef: { fieldPath: 'p' } } }],
            ports: [{ containerPort: 1 }],
            resources: { limits: { cpu: '1', memory: '0' } },
          },
        ],
        volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 's' } }, {}] } }, { name: 'w' }],
        nodeSelector: {},
        tolerations: [],
        overhead: null,
      },
    },
  ],
  [
    'authentication.k8s.io',
    'v1',
    'TokenReview',
    { metadata: {}, status: { user: { username: 'u', extra: { b: ['1', '2'], a: [], c: null } } } },
  ],
  [
    'apiextensions.k8s.io',
    'v1',
    'CustomResourceDefinition',
    {
      metadata,
      spec: {
        versions: [
          {
            name: 'v1',
            schema: {
              openAPIV3Schema: {
                properties: {
                  a: { items: { type: 'string', default: { z: 1, a: [null] } }, enum: [1, 'x', { y: [] }] },
                  b: { additionalProperties: true },
                  c: { items: [{ type: 'object' }] },
                },
              },
            },
          },
        ],
      },
    },
  ],
];

describe('encodeProtobufInSteps', () => {
  test('writes the bytes of encodeProtobuf', async () => {
    for (const [group, version, kind, object] of objects) {
      const schema = loadFacts().schema(group, version, kind);
      assert.ok(schema !== undefined);
      const expected = encodeProtobuf(schema, object);
      assert.deepEqual(atOnce(encodeProtobufInSteps(schema, object)), expected);
      assert.deepEqual(await inSlices(encodeProtobufInSteps(schema, object)), expected, kind);
    }
  });

  test('lets others run while it encodes a large object', async () => {
    const schema = loadFacts().schema('', 'v1', 'ConfigMap');
    assert.ok(schema !== undefined);
    const labels = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`l${index}`, 'v']));
    const fieldsV1 = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`f:l${index}`, {}]));
    const { turns } = await turnsDuring(
      encodeProtobufInSteps(schema, { metadata: { labels, managedFields: [{ fieldsV1 }] } }),
    );
    assert.ok(turns > 3, `${turns} turns`);
  });
});
