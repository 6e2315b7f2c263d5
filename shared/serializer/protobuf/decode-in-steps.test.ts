import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { atOnce, inSlices } from '#shared/apimachinery/slices/slices.ts';
import { turnsDuring } from '#shared/apimachinery/slices/testing/turns-during.ts';
import { decodeProtobuf, decodeProtobufInSteps } from './decode.ts';
import { encodeProtobuf } from './encode.ts';

const many = <T>(count: number, item: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => item(index));
const metadata: JsonObject = {
  name: 'a',
  labels: Object.fromEntries(many(2_000, (index) => [`l${index}`, 'v'])),
  ownerReferences: many(500, (index) => ({ apiVersion: 'v1', kind: 'K', name: 'n', uid: `u${index}` })),
  managedFields: many(200, (index) => ({ manager: `m${index}`, operation: 'Update', fieldsV1: { 'f:a': {} } })),
};
const container = (index: number): JsonObject => ({
  name: `c${index}`,
  image: 'a',
  env: many(index % 50 === 0 ? 400 : 1, (at) => ({ name: `E${at}`, value: 'v' })),
  resources: { limits: { cpu: '1' } },
});

const objects: readonly (readonly [group: string, version: string, kind: string, object: JsonObject])[] = [
  [
    '',
    'v1',
    'ConfigMap',
    { metadata, data: Object.fromEntries(many(2_000, (index) => [`k${index}`, ''])), binaryData: { b: 'AAEC' } },
  ],
  [
    '',
    'v1',
    'Pod',
    {
      metadata,
      spec: {
        containers: many(300, container),
        nodeSelector: { a: 'b' },
        securityContext: { supplementalGroups: many(3_000, (index) => index) },
        volumes: many(300, (index) => ({ name: `v${index}`, emptyDir: {} })),
      },
    },
  ],
  [
    'apps',
    'v1',
    'Deployment',
    { metadata, spec: { template: { metadata: { labels: { a: 'b' } }, spec: { containers: many(300, container) } } } },
  ],
  [
    'authentication.k8s.io',
    'v1',
    'TokenReview',
    { metadata: {}, status: { user: { username: 'u', extra: { b: many(3_000, String) } } } },
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
                properties: Object.fromEntries(
                  many(500, (index) => [
                    `p${index}`,
                    { items: { type: 'string', enum: [1, 'x'] }, additionalProperties: true },
                  ]),
                ),
              },
            },
          },
        ],
      },
    },
  ],
];

function encoded([group, version, kind, object]: (typeof objects)[number]): {
  schema: NonNullable<ReturnType<ReturnType<typeof loadFacts>['schema']>>;
  bytes: Uint8Array;
} {
  const schema = loadFacts().schema(group, version, kind);
  assert.ok(schema !== undefined);
  return { schema, bytes: encodeProtobuf(schema, object) };
}

describe('decodeProtobufInSteps', () => {
  test('decodes what decodeProtobuf decodes, while other messages are decoded', async () => {
    const all = objects.map(encoded);
    const decoded = await Promise.all(all.map(({ schema, bytes }) => inSlices(decodeProtobufInSteps(schema, bytes))));
    for (const [at, { schema, bytes }] of all.entries()) {
      const expected = decodeProtobuf(schema, bytes);
      assert.deepEqual(decoded[at], expected);
      assert.deepEqual(atOnce(decodeProtobufInSteps(schema, bytes)), expected);
    }
  });

  test('rejects truncated bytes with the error of decodeProtobuf', async () => {
    for (const { schema, bytes } of objects.map(encoded)) {
      for (const share of [0.1, 0.35, 0.5, 0.99]) {
        const part = bytes.subarray(0, Math.floor(bytes.length * share));
        const message = messageOf(() => decodeProtobuf(schema, part));
        await assert.rejects(inSlices(decodeProtobufInSteps(schema, part)), { message });
      }
    }
  });

  function messageOf(read: () => unknown): string {
    try {
      read();
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    return assert.fail('nothing was refused');
  }

  test('lets others run while it decodes a large object', async () => {
    const { schema, bytes } = encoded([
      '',
      'v1',
      'ConfigMap',
      { metadata: { name: 'a' }, data: Object.fromEntries(many(100_000, (index) => [`k${index}`, 'v'])) },
    ]);
    const { turns } = await turnsDuring(decodeProtobufInSteps(schema, bytes));
    assert.ok(turns > 3, `${turns} turns`);
  });
});
