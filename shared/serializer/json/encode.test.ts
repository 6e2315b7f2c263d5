import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { setKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { encodeJson } from './encode.ts';
import { looseText } from './loose.ts';
import { parseJson } from './parse.ts';
import { prettyJson } from './pretty-printer.ts';
import { scanJson } from './scan.ts';

const facts = loadFacts();

function printed(group: string, version: string, kind: string, object: JsonObject): string {
  return encodeJson(facts.schema(group, version, kind) as StructSchema, object).toString();
}

describe('encodeJson', () => {
  test('prints absent structs that are held by value, and other fields by omitempty', () => {
    assert.equal(printed('', 'v1', 'Service', {}), '{"metadata":{},"spec":{},"status":{"loadBalancer":{}}}');
    assert.equal(
      printed('rbac.authorization.k8s.io', 'v1', 'ClusterRole', { rules: [{ verbs: [] }] }),
      '{"metadata":{},"rules":[{"verbs":[]}]}',
    );
    assert.equal(printed('rbac.authorization.k8s.io', 'v1', 'ClusterRole', {}), '{"metadata":{},"rules":null}');
  });

  test('sorts the keys of maps by their UTF-8 bytes', () => {
    const data: JsonObject = { b: '', 10: '', 9: '', '\u{1f600}': '', '\uffff': '' };
    setKey(data, '__proto__', '<&>\u2028\ud800');
    assert.equal(
      printed('', 'v1', 'ConfigMap', { data }),
      '{"metadata":{},"data":{"10":"","9":"","__proto__":"\\u003c\\u0026\\u003e\\u2028\ufffd","b":"","\uffff":"","\u{1f600}":""}}',
    );
    assert.equal(
      looseText(data),
      '{"10":"","9":"","__proto__":"\\u003c\\u0026\\u003e\\u2028\ufffd","b":"","\uffff":"","\u{1f600}":""}',
    );
  });
});

describe('looseText', () => {
  test('keeps the digits of integers beyond 2^53, up to 64 bits', () => {
    const text =
      '{"a":9007199254740993,"b":-9223372036854775808,"c":9223372036854775808,"d":1e21,"e":0.000001,"f":1e-7}';
    assert.equal(
      looseText(atOnce(parseJson(Buffer.from(text)))),
      '{"a":9007199254740993,"b":-9223372036854775808,"c":9223372036854776000,"d":1e+21,"e":0.000001,"f":1e-7}',
    );
  });
});

describe('scanJson', () => {
  test('reports duplicate keys with their path, also escaped ones and among many', () => {
    const many = Array.from({ length: 50 }, (_, i) => `"k${i}":1`).join(',');
    const scan = (text: string): readonly string[] =>
      atOnce(scanJson(Buffer.from(text), { maxDepth: 100 })).strictErrors;
    assert.deepEqual(scan(`{"a":[{},{${many},"k7":2}]}`), ['duplicate field "a[1].k7"']);
    assert.deepEqual(scan('{"m":{"a.b":1,"a\\u002eb":2},"m":{}}'), ['duplicate field "m.a.b"', 'duplicate field "m"']);
    assert.deepEqual(scan('{"a":{"x":1},"b":{"x":1},"c":["x","x"]}'), []);
  });

  test('detects large integers but not fractions, and rejects nesting beyond maxDepth', () => {
    const large = (text: string): boolean => atOnce(scanJson(Buffer.from(text), { maxDepth: 3 })).largeIntegers;
    assert.equal(large('[1234567890123456]'), true);
    assert.equal(large('[0.1234567890123456, 1e1234567890123456, "1234567890123456", 123]'), false);
    assert.throws(() => large('[[[[]]]]'), /exceeded max depth/);
  });

  test('reports unknown members of listed objects in the order of the text, without looking into them', () => {
    const scan = (text: string): readonly string[] =>
      atOnce(scanJson(Buffer.from(text), { maxDepth: 100, members: new Set(['op', 'path']) })).strictErrors;
    assert.deepEqual(
      scan('[{"op":1,"x":{"a":1,"a":1},"op":2,"x":3,"path":{"b":1,"b":1}},{"path":1,"y":[{"c":1,"c":1}],"path":2}]'),
      [
        'unknown field "[0].x"',
        'duplicate field "[0].op"',
        'duplicate field "[0].path.b"',
        'unknown field "[1].y"',
        'duplicate field "[1].path"',
      ],
    );
    assert.deepEqual(scan('{"a":1,"a":2}'), ['duplicate field "a"']);
    assert.deepEqual(scan('[[{"a":1}],null,{"z":1}]'), ['unknown field "[2].z"']);
  });
});

describe('prettyJson', () => {
  test("indents as Go's MarshalIndent does", () => {
    assert.equal(
      prettyJson('{"a":{},"b":[],"c":[1,{"d":"x{,\\"}:"}]}'),
      '{\n  "a": {},\n  "b": [],\n  "c": [\n    1,\n    {\n      "d": "x{,\\"}:"\n    }\n  ]\n}',
    );
  });
});
