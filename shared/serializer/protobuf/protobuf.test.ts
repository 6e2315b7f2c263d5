import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { watchFrame } from '#shared/serializer/watch-frame.ts';
import { decodeProtobuf } from './decode.ts';
import { encodeProtobuf } from './encode.ts';
import { unwrapUnknown } from './envelope.ts';

const facts = loadFacts();
const schemaOf = (group: string, version: string, kind: string): StructSchema =>
  facts.schema(group, version, kind) as StructSchema;
const configMap = schemaOf('', 'v1', 'ConfigMap');

describe('encodeProtobuf', () => {
  test('writes zero values of fields without a pointer, as the generated marshalers do', () => {
    // Recorded from k8s.io/api v0.36.3: (&v1.ConfigMap{ObjectMeta: {Name: "a"}}).Marshal().
    assert.equal(
      encodeProtobuf(configMap, { metadata: { name: 'a' } }).toString('hex'),
      '0a110a016112001a0022002a00320038004200',
    );
  });
});

describe('encodeProtobuf and decodeProtobuf', () => {
  test('round-trip texts and numbers of every size', () => {
    const long = 'é'.repeat(40_000) + '\u{1f600}';
    const object = {
      metadata: { name: 'x', generation: 2 ** 40, labels: { b: '1', a: long } },
      data: { a: long, '': '' },
      binaryData: { z: 'AAEC' },
      immutable: false,
    };
    assert.deepEqual(decodeProtobuf(configMap, encodeProtobuf(configMap, object)), object);
  });

  test('round-trip times of years that RFC 3339 does not have', () => {
    const lease = schemaOf('coordination.k8s.io', 'v1', 'Lease');
    for (const renewTime of [
      '10000-01-01T00:59:59.000001Z',
      '-0001-12-31T23:00:00.000000Z',
      '292277026596-12-04T15:30:07.000000Z',
    ]) {
      const object = { metadata: { deletionTimestamp: `${renewTime.split('.')[0]}Z` }, spec: { renewTime } };
      assert.deepEqual(decodeProtobuf(lease, encodeProtobuf(lease, object)), object);
    }
  });

  test('take the low 32 bits of a larger integer for an int32, as gogo does', () => {
    const lease = schemaOf('coordination.k8s.io', 'v1', 'Lease');
    const encoded = encodeProtobuf(lease, { metadata: {}, spec: { leaseTransitions: 9_223_372_036_854_775_807n } });
    assert.deepEqual(decodeProtobuf(lease, encoded)['spec'], { leaseTransitions: -1 });
  });

  test('round-trip 64-bit integers beyond 2^53 as bigint', () => {
    const object = { metadata: { generation: -9223372036854775808n } };
    assert.deepEqual(decodeProtobuf(configMap, encodeProtobuf(configMap, object)), object);
  });

  test('round-trip JSON schema nodes in both forms', () => {
    const crd = schemaOf('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition');
    const openAPIV3Schema = {
      type: 'object',
      additionalProperties: false,
      minimum: -1.5,
      properties: {
        a: { type: 'array', items: { type: 'string' } },
        b: { additionalProperties: { type: 'integer' } },
        c: { default: { x: [1, null] } },
      },
    };
    const object = {
      metadata: { name: 'x' },
      spec: {
        group: 'g',
        names: { plural: 'p', kind: 'K' },
        scope: 'Cluster',
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      },
      status: { conditions: [], acceptedNames: { plural: '', kind: '' }, storedVersions: [] },
    };
    const decoded = decodeProtobuf(crd, encodeProtobuf(crd, object)) as { spec: unknown };
    assert.deepEqual(decoded.spec, object.spec);
  });
});

describe('decodeProtobuf', () => {
  test('rejects truncated and corrupted messages with a ProtobufError', () => {
    assert.throws(() => decodeProtobuf(configMap, Buffer.from([0x0a, 0x05, 0x01])), /unexpected EOF/);
    assert.throws(
      () => decodeProtobuf(configMap, Buffer.from([0x08, 0x01])),
      /proto: wrong wireType = 0 for field ObjectMeta|Metadata/,
    );
    assert.throws(
      () => unwrapUnknown(Buffer.from('{}')),
      /provided data does not appear to be a protobuf message, expected prefix \[107 56 115 0\]/,
    );
    assert.throws(() => unwrapUnknown(Buffer.alloc(0)), /empty data/);
    const valid = encodeProtobuf(configMap, { metadata: { name: 'a' }, data: { k: 'v' } });
    for (let i = 0; i < valid.length; i++) {
      const broken = Buffer.from(valid);
      broken[i] = 0xff;
      try {
        decodeProtobuf(configMap, broken);
      } catch (error) {
        assert.equal((error as Error).name, 'ProtobufError');
      }
    }
  });
});

describe('watchFrame', () => {
  test("wraps the object's bytes in a length-prefixed event", () => {
    const event = { type: 'ADDED', object: {} };
    const frame = watchFrame('application/vnd.kubernetes.protobuf', 'ADDED', Buffer.from('xyz'));
    assert.equal(frame.readUInt32BE(0), frame.length - 4);
    assert.equal(frame.subarray(4).toString('latin1'), `\n\u0005${event.type}\u0012\u0005\n\u0003xyz`);
  });
});
