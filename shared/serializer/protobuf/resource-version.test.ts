import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { encodeStored } from '#shared/serializer/codec.ts';
import { encodeJson } from '#shared/serializer/json/encode.ts';
import { podFixture } from '#shared/serializer/testdata/bench-objects.ts';
import { encodeProtobuf } from './encode.ts';
import { wrapUnknown } from './envelope.ts';
import { protobufOfJson } from './from-json.ts';
import { storedMessageAt } from './resource-version.ts';

const kind = { group: '', version: 'v1', kind: 'Pod' };
const schema = loadFacts().schema('', 'v1', 'Pod');
assert.ok(schema !== undefined);

/** The message of a pod at a revision: made from its stored bytes, and from its JSON. */
function bothWays(pod: JsonObject, revision: number): [Buffer | undefined, Buffer] {
  assert.ok(schema !== undefined);
  const { metadata } = asKubeObject(structuredClone(pod));
  const json = encodeJson(schema, { ...pod, metadata: { ...metadata, resourceVersion: String(revision) } });
  const stored = atOnce(encodeStored(schema, kind, pod));
  return [storedMessageAt(stored, revision), protobufOfJson(schema, json)];
}

function podOf(metadata: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [{ name: 'c' }] } };
}

describe('storedMessageAt', () => {
  test('sets the resourceVersion of a stored pod as its JSON has it', () => {
    for (const revision of [1, 12_345, Number.MAX_SAFE_INTEGER]) {
      const [made, expected] = bothWays(podFixture, revision);
      assert.deepEqual(made, expected);
    }
  });

  test('sets it in metadata that other texts and lists surround', () => {
    const [made, expected] = bothWays(
      podOf({
        name: 'n'.repeat(300),
        generateName: 'n-',
        namespace: 'ü',
        uid: 'u',
        generation: 3,
        labels: { a: 'b'.repeat(200) },
        finalizers: ['example.com/f'],
      }),
      7,
    );
    assert.deepEqual(made, expected);
  });

  test('sets it where the length of the metadata takes another byte by it', () => {
    for (let length = 90; length < 130; length++) {
      const [made, expected] = bothWays(podOf({ name: 'n'.repeat(length) }), 123_456_789);
      assert.deepEqual(made, expected);
    }
  });

  test('makes nothing of a message that has a resourceVersion', () => {
    const message = encodeProtobuf(schema, podOf({ name: 'a', resourceVersion: '1' }));
    assert.equal(storedMessageAt(wrapUnknown(kind, message), 2), undefined);
  });

  test('makes nothing of a message without metadata', () => {
    assert.equal(storedMessageAt(wrapUnknown(kind, Buffer.from([18, 0])), 2), undefined);
    assert.equal(storedMessageAt(wrapUnknown(kind, Buffer.alloc(0)), 2), undefined);
    assert.equal(storedMessageAt(wrapUnknown(kind, Buffer.from([10, 0])), 2), undefined);
  });
});
