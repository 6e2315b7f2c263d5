import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { v3Message } from './v3-protobuf.ts';

const paths =
  '{"/a/":{"get":{"tags":["core"],"description":"d","operationId":"getA","parameters":[{"name":"q","in":"query","description":"p","schema":{"type":"string","uniqueItems":true}}],"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/M"}}}},"responses":{"200":{"description":"OK","content":{"application/json":{"schema":{"$ref":"#/components/schemas/M"}}}}},"x-kubernetes-action":7},"parameters":[{"name":"n","in":"path","required":true,"schema":{"type":"string"}}]}}';
const components =
  '{"schemas":{"M":{"type":"object","description":"text","required":["a"],"properties":{"a":{"type":"integer","format":"int32","default":0,"enum":[1]},"f":{"type":"number","minimum":1.5},"l":{"type":"array","items":{"type":"string","default":""},"maxItems":300},"m":{"type":"object","additionalProperties":{"allOf":[{"$ref":"#/components/schemas/M"}],"default":{}}},"x":{"additionalProperties":true}},"x-flag":true}},"securitySchemes":{"BearerToken":{"type":"apiKey","description":"d","name":"authorization","in":"header"}}}';

// What gnostic-models v0.7.0 marshals for the same document: openapiv3.ParseDocument, then proto.Marshal.
const expected =
  '0a05332e302e3012120a0a4b756265726e657465733204312e333622f4010af1010a032f612f12e90122ca010a04636f72651a01642a04' +
  '67657441321f0a1d0a0171120571756572791a0170520e0a0ca00101ca0106737472696e673a360a3412320a300a106170706c69636174' +
  '696f6e2f6a736f6e121c0a1a12180a16232f636f6d706f6e656e74732f736368656d61732f4d424312410a03323030123a0a380a024f4b' +
  '1a320a300a106170706c69636174696f6e2f6a736f6e121c0a1a12180a16232f636f6d706f6e656e74732f736368656d61732f4d6a1b0a' +
  '13782d6b756265726e657465732d616374696f6e12041202370a6a1a0a180a016e1204706174682001520b0a09ca0106737472696e672a' +
  'ac020af2010aef010a014d12e9010ae601ba010161ca01066f626a656374fa01ba010a2c0a016112270a25c201041202310aca0107696e' +
  '74656765728a02090900000000000000009a0205696e7433320a190a016612140a1269000000000000f83fca01066e756d6265720a280a' +
  '016c12230a219001ac02ca01056172726179f201120a100a0eca0106737472696e678a02021a000a370a016d12320a30ca01066f626a65' +
  '63748202240a220a20d2011a12180a16232f636f6d706f6e656e74732f736368656d61732f4d8a02000a0c0a017812070a058202021001' +
  '92020474657874a202110a06782d666c616712071205747275650a3a350a330a0b426561726572546f6b656e12240a220a066170694b65' +
  '791201641a0d617574686f72697a6174696f6e2206686561646572';

// A property of a custom resource's model in /openapi/v3 of kube-apiserver v1.36.3.
const recordedProperty =
  '0a4b3a2312212d20310a2d20610a2d20623a20393232333337323033363835343737353830370a90018180808080808010ca01056172726179' +
  'f2010e0a0c0a0aca0107696e74656765728a0200';

function encoded(document: JsonObject): string {
  const steps = v3Message(document);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return Buffer.concat(step.value).toString('hex');
}

describe('OpenAPI v3 in protobuf', () => {
  test('encodes a document as gnostic does', () => {
    const document = JSON.parse(
      `{"openapi":"3.0.0","info":{"title":"Kubernetes","version":"1.36"},"paths":${paths},"components":${components}}`,
    ) as JsonObject;
    assert.equal(encoded(document), expected);
  });

  test('encodes numeric keywords, defaults and examples of a definition as kube-apiserver does', () => {
    const schema = {
      type: 'array',
      maxItems: 9_007_199_254_740_993n,
      default: [9_223_372_036_854_775_807n, 2],
      example: [1, 'a', { b: 9_223_372_036_854_775_807n }],
      items: { type: 'integer' },
    };
    assert.ok(encoded({ components: { schemas: { l: schema } } }).endsWith(recordedProperty));
  });
});
