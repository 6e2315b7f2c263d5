import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { canonicalObject } from '#shared/apimachinery/managed-fields/canonical-object.ts';
import { semanticEqualAs } from '#shared/apimachinery/schema/deep-equal.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { decodeCbor } from './cbor/decode-typed.ts';
import { cborOfJson } from './cbor/encode.ts';
import { conform } from './json/conform.ts';
import { encodeJson } from './json/encode.ts';
import { decodeProtobuf } from './protobuf/decode.ts';
import { encodeProtobuf } from './protobuf/encode.ts';
import { protobufOfJson } from './protobuf/from-json.ts';

const facts = loadFacts();
const lease = facts.schema('coordination.k8s.io', 'v1', 'Lease') as StructSchema;
const metadata: JsonObject = { name: 'z' };
/** As kube-apiserver answers a Lease whose acquireTime is sent as 0001-01-01T00:00:00.000000Z. */
const zero: JsonObject = { metadata, spec: { acquireTime: null } };
const json = '{"metadata":{"name":"z"},"spec":{"acquireTime":null}}';
const protobuf = '0a110a017a12001a0022002a00320038004200' + '12021a00';

function read(spec: JsonObject): unknown {
  return atOnce(conform(lease, { metadata: { ...metadata }, spec }, { strict: true })).object['spec'];
}

describe("Go's zero time in another field", () => {
  test('is null where its seconds were sent, and absent where it is an empty message', () => {
    const event = facts.schema('', 'v1', 'Event') as StructSchema;
    const stamp = (time: string) => Buffer.from(`0a0032${time}`, 'hex');
    assert.deepEqual(decodeProtobuf(event, stamp('0d088092b8c398feffffff011000'))['firstTimestamp'], null);
    assert.equal(decodeProtobuf(event, stamp('00'))['firstTimestamp'], undefined);
  });
});

describe("Go's zero time in a pointer field", () => {
  test('is read from its text, while null is read as absent', () => {
    assert.deepEqual(read({ acquireTime: '0001-01-01T00:00:00.000000Z' }), { acquireTime: null });
    assert.deepEqual(read({ acquireTime: '0001-01-01T01:00:00.000000+01:00' }), { acquireTime: null });
    assert.deepEqual(read({ acquireTime: null }), {});
  });

  test('is printed as null, while an absent time is left out', () => {
    assert.equal(encodeJson(lease, zero).toString(), json);
    assert.equal(encodeJson(lease, { metadata, spec: {} }).toString(), json.replace('"acquireTime":null', ''));
  });

  test('is an empty message in protobuf', () => {
    assert.equal(encodeProtobuf(lease, zero).toString('hex'), protobuf);
    assert.equal(protobufOfJson(lease, Buffer.from(json)).toString('hex'), protobuf);
    assert.deepEqual(decodeProtobuf(lease, Buffer.from(protobuf, 'hex'))['spec'], { acquireTime: null });
  });

  test('is read from CBOR, while null is read as absent', () => {
    const sent = (value: string) => Buffer.from(`{"spec":{"acquireTime":${value}}}`);
    const decoded = (value: string) => decodeCbor(lease, cborOfJson(undefined, sent(value))).object['spec'];
    assert.deepEqual(decoded('"0001-01-01T00:00:00.000000Z"'), { acquireTime: null });
    assert.deepEqual(decoded('null'), {});
  });

  test('differs from an absent time, and has an owner', () => {
    assert.equal(semanticEqualAs(lease, zero, { metadata, spec: {} }), false);
    assert.equal(semanticEqualAs(lease, zero, structuredClone(zero)), true);
    assert.deepEqual(atOnce(canonicalObject(lease, zero))['spec'], { acquireTime: null });
  });
});
