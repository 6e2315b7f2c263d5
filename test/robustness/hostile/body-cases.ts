import { gzipSync } from 'node:zlib';

/** A request whose body is wrong in some way. */
export interface BodyCase {
  readonly name: string;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly contentType: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const maps = '/api/v1/namespaces/default/configmaps';
const json = 'application/json';
const yaml = 'application/yaml';
const protobuf = 'application/vnd.kubernetes.protobuf';
const kib = 1024;

const post = (
  name: string,
  contentType: string,
  body: string | Buffer,
  headers?: Record<string, string>,
): BodyCase => ({ name, method: 'POST', path: maps, contentType, body, ...(headers === undefined ? {} : { headers }) });
const patch = (name: string, contentType: string, body: string): BodyCase => ({
  name,
  method: 'PATCH',
  path: `${maps}/kube-root-ca.crt-not-there`,
  contentType,
  body,
});

const nested = (open: string, close: string, depth: number): string => `${open.repeat(depth)}1${close.repeat(depth)}`;
const keys = ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', '__defineGetter__'];

/** Everything that a body can have wrong; dry runs, so that none leaves a trace. */
export const bodyCases: readonly BodyCase[] = [
  ...[
    '',
    '{',
    '}',
    'null',
    '[]',
    '"a"',
    '1',
    '{"a"}',
    '{"metadata":',
    '\u0000',
    '{"kind":1}',
    '{"metadata":[]}',
    '{"data":{"a":1}}',
    '{"data":{"a":{}}}',
    'NaN',
    '{"a":1}{"b":2}',
    '\ufeff{}',
  ].map((body) => post(`JSON ${JSON.stringify(body)}`, json, body)),
  ...[
    ': :',
    '- - -',
    '&a [*a]',
    '*a',
    '{',
    '!!js/function x',
    'a: b: c',
    '\t',
    '--- a\n--- b',
    '? ? ?',
    '%YAML 9.9\n---\na: 1',
    'a: "\\xZZ"',
    'a: &a b\na: *a',
  ].map((body) => post(`YAML ${JSON.stringify(body)}`, yaml, body)),
  ...[
    '',
    'k8s',
    'k8s\0',
    'k8s\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff',
    'k8s\0\x12\x7f',
    '\x0a\x00',
    `k8s\0\x0a\x0f\x0a\x02v1\x12\x09ConfigMap\x12\x80\x80\x80\x80\x08`,
    `k8s\0${'\x0b'.repeat(5_000)}`,
  ].map((body) => post(`protobuf ${JSON.stringify(body.slice(0, 30))}`, protobuf, Buffer.from(body, 'latin1'))),
  post('JSON of 4 MiB', json, `{"metadata":{"name":"a"},"data":{"a":"${'x'.repeat(4 * kib * kib)}"}}`),
  post('YAML of 4 MiB', yaml, `metadata: {name: a}\ndata:\n  a: ${'x'.repeat(4 * kib * kib)}`),
  post('protobuf of 4 MiB', protobuf, Buffer.alloc(4 * kib * kib, 'k8s\0')),
  post('objects 9,000 deep', json, nested('{"a":', '}', 9_000)),
  post('objects 200,000 deep', json, nested('{"a":', '}', 200_000)),
  post('lists 500,000 deep', json, nested('[', ']', 500_000)),
  post(
    'lists 100,000 deep in a field that is kept',
    json,
    `{"metadata":{"name":"a","managedFields":[{"fieldsV1":${nested('{"f:a":', '}', 100_000)}}]}}`,
  ),
  ...['1.5', '{}', '"x"', ''].map((end) =>
    post(`lists 9,000 deep that break off at ${end}`, json, '[1,'.repeat(9_000) + end),
  ),
  patch('a patch 9,000 deep that breaks off', 'application/merge-patch+json', `${'[1,'.repeat(9_000)}1.5`),
  post('YAML 50,000 deep', yaml, `a: ${nested('[', ']', 50_000)}`),
  post(
    'YAML of aliases of aliases',
    yaml,
    `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 12 }, (_, i) => `b${i}: &b${i} [${`*${i === 0 ? 'a' : `b${i - 1}`},`.repeat(9)}]`).join('\n')}`,
  ),
  post(
    'invalid UTF-8 in a value',
    json,
    Buffer.from('{"metadata":{"name":"hostile-utf8"},"data":{"a":"\xff\xfe\xc3("}}', 'latin1'),
  ),
  post(
    'invalid UTF-8 in a key',
    json,
    Buffer.from('{"metadata":{"name":"hostile-utf8"},"data":{"\xff":"b"}}', 'latin1'),
  ),
  post('half of a surrogate pair', json, '{"metadata":{"name":"hostile-surrogate"},"data":{"a":"\\ud800"}}'),
  post('NUL in the name', json, '{"metadata":{"name":"a\\u0000b"}}'),
  post('a name that climbs', json, '{"metadata":{"name":"../../secrets/kube-system/a"}}'),
  post('a namespace that is another', json, '{"metadata":{"name":"a","namespace":"kube-system"}}'),
  post(
    'duplicate keys',
    json,
    '{"metadata":{"name":"hostile-twice","name":"hostile-twice-b"},"data":{"a":"1","a":"2"}}',
    {},
  ),
  post(
    '20,000 duplicate keys',
    json,
    `{"metadata":{"name":"hostile-many"},"data":{${'"a":"b",'.repeat(20_000)}"a":"c"}}`,
  ),
  post(
    '20,000 unknown fields',
    json,
    `{"metadata":{"name":"hostile-unknown"}${Array.from({ length: 20_000 }, (_, i) => `,"u${i}":1`).join('')}}`,
  ),
  post(
    '20,000 labels',
    json,
    `{"metadata":{"name":"hostile-labels","labels":{${Array.from({ length: 20_000 }, (_, i) => `"l${i}":""`).join()}}}}`,
  ),
  post('a number of a million digits', json, `{"metadata":{"name":"a","generation":${'9'.repeat(1_000_000)}}}`),
  post('an exponent without end', json, '{"metadata":{"name":"a","generation":1e999999999}}'),
  post('gzip that would be 100 MiB', json, gzipSync(Buffer.alloc(100 * kib * kib, ' ')), {
    'content-encoding': 'gzip',
  }),
  post('a content type of 60,000 characters', `application/json;${'a=b;'.repeat(15_000)}`, '{}'),
  post('a content type that is none', 'application/json; charset="', '{}'),
  ...keys.flatMap((key) => [
    post(`${key} at the top`, json, `{"metadata":{"name":"hostile-key"},"${key}":{"polluted":"yes"}}`),
    post(`${key} in metadata`, json, `{"metadata":{"name":"hostile-key","${key}":{"polluted":"yes"}}}`),
    post(`${key} as label`, json, `{"metadata":{"name":"hostile-key","labels":{"${key}":"yes"}}}`),
    post(`${key} as data`, json, `{"metadata":{"name":"hostile-key"},"data":{"${key}":"yes"}}`),
    post(`${key} in YAML`, yaml, `metadata: {name: hostile-key}\n${key}: {polluted: yes}\ndata: {${key}: x}`),
    patch(
      `${key} in a JSON patch`,
      'application/json-patch+json',
      `[{"op":"add","path":"/${key}/polluted","value":"yes"},{"op":"add","path":"/data/${key}","value":{}}]`,
    ),
    patch(
      `${key} in a merge patch`,
      'application/merge-patch+json',
      `{"${key}":{"polluted":"yes"},"data":{"${key}":"x"}}`,
    ),
    patch(
      `${key} in a strategic merge patch`,
      'application/strategic-merge-patch+json',
      `{"${key}":{"polluted":"yes"},"metadata":{"${key}":{}}}`,
    ),
  ]),
  patch(
    'a JSON patch of 20,000 operations',
    'application/json-patch+json',
    `[${'{"op":"test","path":"/a","value":1},'.repeat(20_000)}{"op":"test","path":"/a","value":1}]`,
  ),
  patch(
    'a JSON patch of copies of copies',
    'application/json-patch+json',
    `[${Array.from({ length: 40 }, () => '{"op":"copy","from":"/metadata","path":"/metadata/annotations"}').join()}]`,
  ),
  patch('a merge patch that is a list', 'application/merge-patch+json', '[]'),
  patch('a patch of another form', 'application/xml', '<a/>'),
  {
    name: 'DeleteOptions that are a Pod',
    method: 'DELETE',
    path: `${maps}/not-there`,
    contentType: json,
    body: '{"kind":"Pod","apiVersion":"v1"}',
  },
  {
    name: 'DeleteOptions that are broken',
    method: 'DELETE',
    path: `${maps}/not-there`,
    contentType: json,
    body: '{"gracePeriodSeconds":"soon"',
  },
];
