import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { definitionEntry, documentChunks, parameterEntry, pathEntry } from './v2-protobuf.ts';

// What gnostic-models v0.7.0 marshals for the same document: openapiv2.ParseDocument, then proto.Marshal.
const expected =
  '0a03322e3012120a0a4b756265726e657465731204312e3336427712750a032f612f126e126c0a04636f72652a0467657441421b0a1912' +
  '171a15120571756572792201713206737472696e67a001014a240a220a03323030121b0a190a024f4b12130a110a0f232f646566696e69' +
  '74696f6e732f4d6a1b0a13782d6b756265726e657465732d616374696f6e12041202370a4a6e0a6c0a014d12672204746578749a010161' +
  'b201080a066f626a656374ca013b0a180a01611213a201041202310ab201090a07696e74656765720a1f0a016c121ab201070a05617272' +
  '6179ba010d0a0bb201080a06737472696e67fa01110a06782d666c616712071205747275650a62110a0f0a0b426561726572546f6b656e' +
  '12006a350a330a0b426561726572546f6b656e122412220a066170694b6579120d617574686f72697a6174696f6e1a0668656164657222' +
  '0164';

// A property of a custom resource's model in /openapi/v2 of kube-apiserver v1.36.3.
const recordedProperty =
  '708180808080808010b201070a056172726179ba010e0a0cb201090a07696e7465676572f2012312212d20310a2d20610a2d20623a20393232' +
  '333337323033363835343737363030300a';
const recordedLength = (recordedProperty.length / 2).toString(16);

// A shared parameter, and the reference to another one, there.
const recordedParameter =
  '0a0d626f64792d325931645651615112520a501204626f64791a04626f64792a420a40232f646566696e6974696f6e732f696f2e6b38732e' +
  '6170696d616368696e6572792e706b672e617069732e6d6574612e76312e44656c6574654f7074696f6e73';
const recordedReference = '122b0a29232f706172616d65746572732f616c6c6f775761746368426f6f6b6d61726b732d484332684a742d4a';

describe('OpenAPI v2 in protobuf', () => {
  test('encodes a document as gnostic does', () => {
    const path = pathEntry('/a/', {
      get: {
        tags: ['core'],
        operationId: 'getA',
        parameters: [{ in: 'query', name: 'q', type: 'string', uniqueItems: true }],
        responses: { 200: { description: 'OK', schema: { $ref: '#/definitions/M' } } },
        'x-kubernetes-action': 7,
      },
    });
    const definition = atOnce(
      definitionEntry('M', {
        description: 'text',
        required: ['a'],
        type: 'object',
        properties: { a: { enum: [1], type: 'integer' }, l: { type: 'array', items: { type: 'string' } } },
        'x-flag': true,
      }),
    );
    const head = {
      swagger: '2.0',
      info: { title: 'Kubernetes', version: '1.36' },
      security: [{ BearerToken: [] }],
      securityDefinitions: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header', description: 'd' } },
    };
    assert.equal(
      Buffer.concat(documentChunks(head, { paths: [path], definitions: [definition], parameters: [] })).toString('hex'),
      expected,
    );
  });

  test('encodes shared parameters and references to them as kube-apiserver does', () => {
    const schema = { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions' };
    const entry = parameterEntry('body-2Y1dVQaQ', { name: 'body', in: 'body', schema });
    assert.ok(entry.toString('hex').endsWith(recordedParameter));
    const path = pathEntry('/a', { parameters: [{ $ref: '#/parameters/allowWatchBookmarks-HC2hJt-J' }] });
    assert.ok(path.toString('hex').endsWith(recordedReference));
  });

  test('encodes numeric keywords and examples of a definition as kube-apiserver does', () => {
    const property = atOnce(
      definitionEntry('l', {
        type: 'array',
        maxItems: 9_007_199_254_740_993n,
        example: [1, 'a', { b: 9_223_372_036_854_776_000 }],
        items: { type: 'integer' },
      }),
    );
    assert.ok(property.toString('hex').endsWith(`12${recordedLength}${recordedProperty}`));
  });
});
