import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { decodeBody, decodeStored, encodeStored } from './codec.ts';
import { type DecodeBodyOptions } from './decode-binary.ts';
import { encodeProtobuf } from './protobuf/encode.ts';
import { wrapUnknown } from './protobuf/envelope.ts';

const facts = loadFacts();
const configMap: DecodeBodyOptions = {
  defaultGvk: { group: '', version: 'v1', kind: 'ConfigMap' },
  fieldValidation: 'Strict',
};
const pod: DecodeBodyOptions = { defaultGvk: { group: '', version: 'v1', kind: 'Pod' }, fieldValidation: 'Strict' };

function message(body: string | Uint8Array, options = configMap, contentType?: string): string {
  try {
    atOnce(decodeBody(facts, contentType, Buffer.from(body as string), options));
    return 'no error';
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    assert.equal(error.code, contentType?.includes('xml') === true ? 415 : 400);
    return error.message;
  }
}

describe('decodeBody', () => {
  test("rejects a body that is not a JSON object with a kind in the reference's words", () => {
    const unrecognized =
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: ";
    assert.equal(message('{'), `${unrecognized}unexpected end of JSON input ({)`);
    assert.equal(message(''), `${unrecognized}unexpected end of JSON input (<empty>)`);
    assert.equal(
      message('[]'),
      `${unrecognized}json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b5d)`,
    );
    assert.equal(
      message('{"kind":1}'),
      `${unrecognized}json: cannot unmarshal number into Go struct field .kind of type string ({"kind":1})`,
    );
  });

  test('names the version in the body when it rejects a kind that is not registered', () => {
    assert.equal(
      message('{"kind":"Nope","apiVersion":"v1"}'),
      'Nope in version "v1" cannot be handled as a ConfigMap: no kind "Nope" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    );
    assert.equal(
      message('{"kind":"ConfigMap","apiVersion":"apps/v1"}'),
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "apps/v1" in scheme "pkg/runtime/scheme.go:111"',
    );
  });

  test('names the Go struct field in type errors', () => {
    const prefix = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: ';
    assert.equal(
      message('{"data":{"a":1}}'),
      `${prefix}json: cannot unmarshal number into Go struct field ConfigMap.data of type string`,
    );
    assert.equal(
      message('{"data":"x"}'),
      `${prefix}json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string`,
    );
    assert.equal(message('{"binaryData":{"a":"$$"}}'), `${prefix}illegal base64 data at input byte 0`);
    assert.equal(
      message('{"metadata":{"labels":[]}}'),
      `${prefix}json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type map[string]string`,
    );
    assert.equal(
      message('{"metadata":{"creationTimestamp":1}}'),
      `${prefix}json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string`,
    );
    const inPod = 'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal ';
    assert.equal(
      message('{"spec":{"containers":"x"}}', pod),
      `${inPod}string into Go struct field PodSpec.spec.containers of type []v1.Container`,
    );
    assert.equal(
      message('{"spec":{"priority":1.5}}', pod),
      `${inPod}number 1.5 into Go struct field PodSpec.spec.priority of type int32`,
    );
    assert.equal(
      message('{"spec":{"volumes":[{"emptyDir":"x"}]}}', pod),
      `${inPod}string into Go struct field Volume.spec.volumes.VolumeSource.emptyDir of type v1.EmptyDirVolumeSource`,
    );
  });

  test('reports unknown and duplicate fields of a strict body in their order', () => {
    const prefix = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ';
    assert.equal(
      message('{"metadata":{"nope":1},"extra":2}'),
      `${prefix}unknown field "metadata.nope", unknown field "extra"`,
    );
    assert.equal(
      message('{"data":{"a":"1","a":"2"},"data":{}}'),
      `${prefix}duplicate field "data.a", duplicate field "data"`,
    );
    assert.equal(
      message('{"x":1,"data":{"a":"1","a":"2"},"y":{"a":1,"a":2}}'),
      `${prefix}unknown field "x", duplicate field "data.a", unknown field "y"`,
    );
    assert.equal(
      message('{"spec":{"containers":[{"name":"a","b":1}]}}', pod),
      'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.containers[0].b"',
    );
  });

  test('returns strict errors under Warn, and does not look for them under Ignore', () => {
    const body = Buffer.from('{"metadata":{"name":"a"},"extra":2}');
    const warned = atOnce(decodeBody(facts, 'application/json', body, { ...configMap, fieldValidation: 'Warn' }));
    assert.deepEqual(warned.strictErrors, ['unknown field "extra"']);
    assert.deepEqual(warned.object, { metadata: { name: 'a' }, kind: 'ConfigMap', apiVersion: 'v1' });
    assert.deepEqual(
      atOnce(decodeBody(facts, undefined, body, { ...configMap, fieldValidation: 'Ignore' })).strictErrors,
      [],
    );
  });

  test("rejects a delete's body without the prefix that create's has", () => {
    const options: DecodeBodyOptions = { ...configMap, plainErrors: true };
    assert.equal(message('', options), "couldn't get version/kind; json parse error: unexpected end of JSON input");
    assert.equal(
      message('{"kind":"Nope"}', options),
      'no kind "Nope" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    );
  });

  test('decodes JSON, YAML and protobuf to the same object', () => {
    const json = atOnce(
      decodeBody(
        facts,
        'application/json;charset=utf-8',
        Buffer.from('{"metadata":{"name":"a","creationTimestamp":null},"data":{"k":"v"}}'),
        configMap,
      ),
    ).object;
    const yaml = atOnce(
      decodeBody(facts, 'application/yaml', Buffer.from('metadata: {name: a}\ndata:\n  k: v\n'), configMap),
    ).object;
    const schema = facts.schema('', 'v1', 'ConfigMap');
    assert.ok(schema);
    const wire = wrapUnknown(configMap.defaultGvk, encodeProtobuf(schema, json));
    assert.deepEqual(yaml, json);
    assert.deepEqual(atOnce(decodeBody(facts, 'application/vnd.kubernetes.protobuf', wire, configMap)).object, json);
    assert.match(
      message('<a/>', configMap, 'text/xml'),
      /accepted media types include: application\/json, application\/yaml, application\/vnd\.kubernetes\.protobuf$/,
    );
  });

  test("rejects nesting beyond the reference's limit instead of overflowing the stack", () => {
    assert.match(message('['.repeat(3_000_000)), /exceeded max depth/);
    assert.match(message('a: '.repeat(3) + '['.repeat(100_000), configMap, 'application/yaml'), /yaml/);
  });

  // Go's encoding/json: maxNestingDepth 10000.
  test('accepts 10,000 levels of nesting and rejects one more', () => {
    const nested = (levels: number): string =>
      `{"metadata":{"managedFields":[{"fieldsV1":${'{"a":'.repeat(levels - 4)}1${'}'.repeat(levels - 4)}}]}}`;
    assert.equal(message(nested(10_000)), 'no error');
    assert.match(message(nested(10_001)), /exceeded max depth/);
  });

  test('reads bytes from a list of numbers from 0 to 255', () => {
    const prefix = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal ';
    const { object } = atOnce(decodeBody(facts, undefined, Buffer.from('{"binaryData":{"a":[0,255]}}'), configMap));
    assert.deepEqual(object['binaryData'], { a: 'AP8=' });
    for (const number of [-1, 256])
      assert.equal(
        message(`{"binaryData":{"a":[${number}]}}`),
        `${prefix}number ${number} into Go struct field ConfigMap.binaryData of type uint8`,
      );
  });

  // sigs.k8s.io/json keeps no more.
  test('reports 100 unknown and 100 duplicate fields at most', () => {
    const strictErrorsOf = (members: readonly string[]): number =>
      atOnce(
        decodeBody(facts, undefined, Buffer.from(`{${members.join()}}`), { ...configMap, fieldValidation: 'Warn' }),
      ).strictErrors.length;
    const unknown = (count: number) => Array.from({ length: count }, (_, at) => `"x${at}":1`);
    const duplicate = (count: number) => {
      const keys = Array.from({ length: count }, (_, at) => `"k${at}":""`).join();
      return [`"data":{${keys},${keys}}`];
    };
    assert.deepEqual(
      [strictErrorsOf(unknown(99)), strictErrorsOf(unknown(100)), strictErrorsOf(unknown(101))],
      [99, 100, 100],
    );
    assert.deepEqual(
      [strictErrorsOf(duplicate(99)), strictErrorsOf(duplicate(100)), strictErrorsOf(duplicate(101))],
      [99, 100, 100],
    );
  });
});

describe('encodeStored', () => {
  test('writes built-in objects as protobuf without resourceVersion, and custom resources as JSON', () => {
    const schema = facts.schema('', 'v1', 'ConfigMap');
    assert.ok(schema);
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', resourceVersion: '7' },
      data: { k: 'v' },
    };
    const stored = atOnce(encodeStored(schema, configMap.defaultGvk, object));
    assert.equal(stored.subarray(0, 4).toString('latin1'), 'k8s\0');
    assert.equal(object.metadata.resourceVersion, '7');
    assert.deepEqual(atOnce(decodeStored(facts, stored)), {
      gvk: configMap.defaultGvk,
      object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } },
    });
    const custom = {
      apiVersion: 'x.io/v1',
      kind: 'Foo',
      metadata: { name: 'a', resourceVersion: '7' },
      b: 1,
      '10': 1,
      '9': 2,
    };
    assert.equal(
      atOnce(encodeStored(undefined, { group: 'x.io', version: 'v1', kind: 'Foo' }, custom)).toString(),
      '{"10":1,"9":2,"apiVersion":"x.io/v1","b":1,"kind":"Foo","metadata":{"name":"a"}}\n',
    );
  });
});
