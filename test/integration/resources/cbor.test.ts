import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { createResourceHandler } from '#shared/endpoints/create-resource-handler.ts';
import { parseCbor } from '#shared/serializer/cbor/decode-value.ts';
import { cborOfJson } from '#shared/serializer/cbor/encode.ts';
import { mediaTypesWithCbor } from '#shared/serializer/negotiate.ts';
import { InProcess, type Answer } from './in-process.ts';

const cbor = 'application/cbor';
const server = new InProcess([], undefined, (environment) =>
  createResourceHandler({ ...environment, mediaTypes: mediaTypesWithCbor }),
);
after(() => server.close());

const secrets = '/api/v1/namespaces/default/secrets';
const bytesOf = (value: JsonObject): Buffer => cborOfJson(undefined, Buffer.from(JSON.stringify(value)));
const objectOf = ({ bytes }: Answer): JsonObject => parseCbor(bytes) as JsonObject;

function send(method: string, target: string, body?: JsonObject, contentType = cbor): Promise<Answer> {
  return server.send(method, target, body === undefined ? undefined : bytesOf(body), {
    accept: cbor,
    'content-type': contentType,
  });
}

describe('CBOR', () => {
  test('creates and reads an object, with bytes as byte strings', async () => {
    const created = await send('POST', secrets, {
      kind: 'Secret',
      apiVersion: 'v1',
      metadata: { name: 'a' },
      data: { k: 'aGVsbG8=' },
    });
    assert.equal(created.status, 201);
    assert.equal(created.headers['content-type'], cbor);
    const read = await send('GET', `${secrets}/a`);
    assert.deepEqual(objectOf(read)['data'], { k: 'aGVsbG8=' });
    // Tag 22 around the bytes themselves.
    assert.ok(read.bytes.includes(Buffer.from([0xd6, 0x45, ...Buffer.from('hello')])));
    const json = await server.send('GET', `${secrets}/a`);
    assert.deepEqual(objectOf(read), json.body);
  });

  test('gives the same lists as JSON, with metadata only and without items too', async () => {
    for (const [target, accept] of [
      [secrets, ''],
      [secrets, ';as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'],
      ['/api/v1/pods', ''],
      ['/api/v1/pods', ';as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'],
    ] as const) {
      const inCbor = await server.send('GET', target, undefined, { accept: cbor + accept });
      const inJson = await server.send('GET', target, undefined, { accept: `application/json${accept}` });
      assert.equal(inCbor.headers['content-type'], cbor);
      assert.deepEqual(objectOf(inCbor), inJson.body);
    }
  });

  test('applies a configuration', async () => {
    const config = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'b' }, data: { x: 'y' } };
    const applied = await send(
      'PATCH',
      '/api/v1/namespaces/default/configmaps/b?fieldManager=me',
      config,
      'application/apply-patch+cbor',
    );
    assert.equal(applied.status, 201, applied.text);
    const broken = await server.send(
      'PATCH',
      '/api/v1/namespaces/default/configmaps/b?fieldManager=me',
      Buffer.from([0x80]),
      { 'content-type': 'application/apply-patch+cbor' },
    );
    assert.equal(
      broken.body['message'],
      'error decoding YAML: cbor: cannot unmarshal array into Go value of type map[string]interface {}',
    );
  });

  test('carries errors and delete options', async () => {
    const missing = await send('GET', `${secrets}/nope`);
    assert.equal(missing.headers['content-type'], cbor);
    assert.equal(objectOf(missing)['message'], 'secrets "nope" not found');
    const refused = await send('DELETE', `${secrets}/a`, {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      preconditions: { uid: 'x' },
    });
    assert.equal(refused.status, 409);
    assert.equal((await send('DELETE', `${secrets}/a`, { kind: 'DeleteOptions', apiVersion: 'v1' })).status, 200);
  });

  test('is refused for a Table, and router errors stay JSON', async () => {
    const table = await server.send('GET', secrets, undefined, { accept: `${cbor};as=Table;g=meta.k8s.io;v=v1` });
    assert.equal(table.status, 406);
    assert.equal(
      table.body['message'],
      'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/cbor',
    );
    const unknown = await server.send('GET', '/api/v1/namespaces/default/nope', undefined, { accept: cbor });
    assert.equal(unknown.headers['content-type'], 'application/json');
  });
});
