import type { Request, Series } from './series.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const low = "shardRange(object.metadata.namespace, '0x0000000000000000', '0x8000000000000000')";
const high = "shardRange(object.metadata.namespace, '0x8000000000000000', '0x10000000000000000')";

/** Of uids nobody knows the hashes before: a namespace is on one side for all servers. */
const selectors: readonly string[] = [
  low,
  high,
  `${low} || ${high}`,
  ` (${low})||${high} // all`,
  `${high}\n|| ${low}`,
  low.replaceAll("'", '"'),
  low.replaceAll(' ', ''),
  '',
  ' ',
  "shardRange(object.metadata.uid, '0x0000000000000000', '0x10000000000000000')",
  `${low} || shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')`,
  "shardRange(object.metadata.name, '0x0000000000000000', '0x8000000000000000')",
  "shardRange(object.metadata, '0x00', '0x80')",
  'shardRange(1, 2, 3)',
  "shardRange(object.metadata.uid, '0x0', '0x8000000000000000')",
  "shardRange(object.metadata.uid, '0x0000000000000000', '0xff')",
  "shardRange(object.metadata.uid, '0x', '0x80')",
  "shardRange(object.metadata.uid, '00', '0x80')",
  "shardRange(object.metadata.uid, '0x000000000000000000', '0x80')",
  "shardRange(object.metadata.uid, '0x0g', '0x80')",
  "shardRange(object.metadata.uid, '0xFF', '0x80')",
  "shardRange(object.metadata.uid, '0x20000000000000000', '0x80')",
  'shardRange(object.metadata.uid, 0, 8)',
  'shardRange(object.metadata.uid, 1.5, 8)',
  'shardRange(object.metadata.uid, true, null)',
  "shardRange(object.metadata.uid, '0x8000000000000000', '0x8000000000000000')",
  "shardRange(object.metadata.uid, '0xffffffffffffffff', '0x0000000000000000')",
  "shardRange(object.metadata.uid, '0x00')",
  "shardRange(object.metadata.uid, hex(0), '0x80')",
  "other(object.metadata.uid, '0x00', '0x80')",
  `${low} && ${high}`,
  `${low} || other()`,
  "object.metadata.uid > '0x0'",
  "object.metadata.uid == '0x0'",
  'object',
  'object.metadata',
  '5',
  "'a'",
  'true',
  'shardRange()',
  // What else the language has.
  'shardRange(',
  ')',
  "'",
  'a b',
  'a.',
  'a.1',
  '||',
  'f(a,)',
  '$',
  'a ? b : c',
  '[1]',
  '{}',
  'a{b: 1}',
  '{1: 2}',
  '-1',
  '!a',
  'a in b',
  'a[0]',
  'a.?b',
  '`a`',
  'has(a.b)',
  '[1].all(x, true)',
  "r'\\x'",
  "x.shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')",
  "shardRange(.object.metadata.uid, '0x0000000000000000', '0x8000000000000000')",
  "shardRange(object['metadata'].uid, '0x00', '0x80')",
  "shardRange(object.metadata.uid, b'0x00', '0x80')",
  "shardRange(object.metadata.uid, 1u, '0x80')",
  "shardRange(object.metadata.uid, '0x\\u0030000000000000000', '0x8000000000000000')",
  `shardRange(object.metadata.uid, '''0x0000000000000000''', r"0x8000000000000000")`,
  "shardRange(object.metadata.uid, '0xé', '0x80')",
  `${low} ||`,
  `${low} | ${high}`,
  `${low} ${high}`,
  `${low}) || (${high}`,
  `${'('.repeat(260)}a${')'.repeat(260)}`,
];

function requests(run: string): readonly Request[] {
  const get = (path: string, selector: string, more = '', accept = 'application/json'): Request => ({
    method: 'GET',
    path: `${path}?shardSelector=${encodeURIComponent(selector)}${more}`,
    headers: { accept },
  });
  return [
    { method: 'POST', path: configMaps, body: { metadata: { name: run, labels: { run } } } },
    ...selectors.flatMap((selector) => [
      get(configMaps, selector, `&labelSelector=run=${run}`),
      get(configMaps, selector, '&watch=true&timeoutSeconds=1&labelSelector=none'),
    ]),
    ...[
      'application/json;as=Table;g=meta.k8s.io;v=v1',
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
      'application/yaml',
    ].map((accept) => get(configMaps, `${low} || ${high}`, `&labelSelector=run=${run}`, accept)),
    get(
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      "shardRange(object.metadata.namespace, '0xcbf29ce484222325', '0xcbf29ce484222326')",
    ),
    get('/apis/apiregistration.k8s.io/v1/apiservices', low),
    get(`${configMaps}/${run}`, 'x'),
    { method: 'DELETE', path: `${configMaps}?labelSelector=run=${run}&shardSelector=x` },
    {
      method: 'DELETE',
      path: `${configMaps}?labelSelector=run=${run}&shardSelector=${encodeURIComponent(`${low} || ${high}`)}`,
    },
    { method: 'GET', path: `${configMaps}/${run}` },
  ];
}

/** The uid that a server draws says in which half the object lies: both draw the same half once in two attempts. */
export const shardSeries: readonly Series[] = [{ name: 'shards of collections', requests, attempts: 10 }];
