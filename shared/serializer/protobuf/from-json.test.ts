import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { conform } from '#shared/serializer/json/conform.ts';
import { encodeJson } from '#shared/serializer/json/encode.ts';
import { parsePrinted } from '#shared/serializer/json/parse.ts';
import { podFixture } from '#shared/serializer/testdata/bench-objects.ts';
import { encodeProtobuf } from './encode.ts';
import { protobufOfJson, protobufPiecesOfJson } from './from-json.ts';

// That what is written from objects is the reference's is for `test/conformance/codec-fixtures`, which also compares
// both ways for every kind.

const facts = loadFacts();

function compare(group: string, version: string, kind: string, object: JsonObject): void {
  const schema = facts.schema(group, version, kind);
  assert.ok(schema !== undefined);
  const json = encodeJson(
    schema,
    atOnce(
      conform(
        schema,
        { apiVersion: group === '' ? version : `${group}/${version}`, kind, ...object },
        { strict: false },
      ),
    ).object,
  );
  const expected = encodeProtobuf(schema, atOnce(parsePrinted(json.toString())) as JsonObject);
  assert.deepEqual(protobufOfJson(schema, json), expected);
  assert.deepEqual(Buffer.concat(protobufPiecesOfJson(schema, json)), expected);
}

const metadata: JsonObject = {
  name: 'a',
  namespace: 'b',
  creationTimestamp: '2026-01-02T03:04:05Z',
  deletionGracePeriodSeconds: -30,
  labels: { z: '1', a: 'ü "quoted" \\ \n <&>', '10': 'x', '9': '' },
  managedFields: [
    {
      manager: 'm',
      operation: 'Update',
      apiVersion: 'v1',
      time: '1999-12-31T23:59:59Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { '.': {}, 'f:a<b': {} } },
    },
  ],
};

describe('protobufOfJson', () => {
  test('encodes a Pod from its JSON bytes as from the object', () => {
    compare('', 'v1', 'Pod', podFixture);
    compare('', 'v1', 'Pod', {
      metadata,
      spec: {
        containers: [{ name: 'c', image: 'i', env: [{ name: 'e', value: 'v'.repeat(300) }] }],
        initContainers: [{ name: 'd' }],
        activeDeadlineSeconds: 9007199254740993n,
      },
    });
  });

  test('encodes rare, long, empty and null values as from the object', () => {
    compare('', 'v1', 'ConfigMap', {
      metadata,
      data: { a: 'x'.repeat(200_000), b: 'line "1"\n'.repeat(20_000), c: '' },
      binaryData: { d: Buffer.alloc(50_000, 7).toString('base64'), e: '' },
    });
    compare('', 'v1', 'Secret', { metadata, data: { a: 'AAEC', b: null }, type: 'x' });
    compare('', 'v1', 'Service', {
      metadata,
      spec: {
        ports: [
          { port: 80, targetPort: 'http' },
          { port: 81, targetPort: 8081 },
        ],
        ipFamilies: [],
      },
    });
    compare('apps', 'v1', 'Deployment', {
      metadata,
      spec: { selector: {}, template: {}, strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } } },
    });
    compare('coordination.k8s.io', 'v1', 'Lease', { metadata, spec: { renewTime: '2026-01-02T03:04:05.678901Z' } });
    compare('apps', 'v1', 'ControllerRevision', {
      metadata,
      revision: 1,
      data: { spec: { b: [1, 2.5, null], a: { '': '' } } },
    });
    compare('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition', {
      metadata,
      spec: {
        group: 'g',
        names: { kind: 'K', plural: 'p' },
        scope: 'Cluster',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                additionalProperties: true,
                items: [{ type: 'string' }],
                default: { a: 1.5 },
              },
            },
          },
        ],
      },
    });
    compare('discovery.k8s.io', 'v1', 'EndpointSlice', { metadata, addressType: 'IPv4', endpoints: null, ports: null });
  });
});

describe('protobufPiecesOfJson', () => {
  test('does not copy long strings and raw values', () => {
    const fieldsV1 = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`f:field${at}`, {}]));
    const object = {
      metadata: {
        ...metadata,
        managedFields: [{ ...(metadata['managedFields'] as JsonObject[])[0], fieldsV1 }],
        annotations: { note: 'n'.repeat(40_000) },
      },
      data: {
        a: 'x'.repeat(1_000_000),
        b: 'y"'.repeat(40_000),
        c: 'z'.repeat(32 * 1024),
        ['k'.repeat(33_000)]: 'short',
        d: 'short',
      },
    };
    compare('', 'v1', 'ConfigMap', object);
    const schema = facts.schema('', 'v1', 'ConfigMap');
    assert.ok(schema !== undefined);
    const json = encodeJson(
      schema,
      atOnce(conform(schema, { apiVersion: 'v1', kind: 'ConfigMap', ...object }, { strict: false })).object,
    );
    assert.equal(protobufPiecesOfJson(schema, json).filter((piece) => piece.buffer === json.buffer).length, 5);
  });
});
