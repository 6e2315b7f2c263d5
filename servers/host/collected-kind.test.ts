import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { collectedKind } from './collected-kind.ts';

/** A field of protobuf that has a length; all lengths here are below 128. */
function field(number: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
}

function stored(...metadata: readonly Buffer[]): Buffer {
  const type = field(1, Buffer.concat([field(1, 'v1'), field(2, 'ConfigMap')]));
  const object = field(2, Buffer.concat([field(1, Buffer.concat(metadata)), field(2, 'ownerReferences')]));
  return Buffer.concat([Buffer.from('k8s\0'), type, object]);
}

const named = field(1, 'name');
const generation = Buffer.from([0x38, 1]);
const configMap = { apiVersion: 'v1', kind: 'ConfigMap' };

describe('kind of a stored value for the garbage collector', () => {
  test('is that of an object in protobuf which names owners', () => {
    assert.equal(collectedKind(stored(named, generation)), undefined);
    assert.deepEqual(collectedKind(stored(named, generation, field(13, field(1, 'Pod')))), configMap);
  });

  test('is that of an object in protobuf which waits for dependents', () => {
    const finalizers = [field(14, 'example.com/a'), field(14, 'foregroundDeletion')];
    assert.equal(collectedKind(stored(named, ...finalizers)), undefined);
    assert.equal(collectedKind(stored(named, field(9, '\b\x01'), field(14, 'example.com/a'))), undefined);
    assert.deepEqual(collectedKind(stored(named, field(9, '\b\x01'), ...finalizers)), configMap);
    assert.deepEqual(collectedKind(stored(named, field(9, '\b\x01'), field(14, 'orphan'))), configMap);
  });

  test('is that of an object in JSON', () => {
    const thing = { apiVersion: 'example.com/v1', kind: 'Thing' };
    const json = (metadata: object): Buffer => Buffer.from(JSON.stringify({ ...thing, metadata }));
    assert.equal(collectedKind(json({ name: 'orphan' })), undefined);
    assert.deepEqual(collectedKind(json({ ownerReferences: [{ kind: 'Pod' }] })), thing);
    assert.deepEqual(collectedKind(json({ deletionTimestamp: 'x', finalizers: ['orphan'] })), thing);
  });

  test('is unknown where the form hides it', () => {
    assert.equal(collectedKind(Buffer.from('k8s:enc:aescbc:v1:key1:…')), 'unknown');
    assert.equal(collectedKind(Buffer.from([0xd9, 0xd9, 0xf7, 0xa0])), 'unknown');
  });

  test('is not there for what is no object', () => {
    for (const text of ['', '1234', '{"ownerReferences"', 'k8s\0\xff\xff', 'k8s\0\x0a\x7f'])
      assert.equal(collectedKind(Buffer.from(text, 'latin1')), undefined);
  });
});
