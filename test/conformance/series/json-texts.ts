import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const secrets = '/api/v1/namespaces/default/secrets';

/** Texts that are JSON, or not from some byte on. */
const texts: readonly string[] = [
  'not json',
  'nul',
  'nulL',
  'n',
  'tru',
  'trUe',
  'fals',
  'falsE',
  '',
  ' ',
  '\n',
  '{',
  '}',
  '[',
  ']',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,',
  '{"a":1,}',
  '{"a" 1}',
  '{"a":1 "b":2}',
  '{a:1}',
  "{'a':1}",
  '[1',
  '[1,',
  '[1,]',
  '[1 2]',
  '"',
  '"a',
  '"\\',
  '"\\x"',
  '"\\u',
  '"\\u12',
  '"\\u12g4"',
  '"a\nb"',
  '"a\u0000b"',
  '-',
  '-a',
  '01',
  '1.',
  '1.a',
  '1e',
  '1e+',
  '1ea',
  '+1',
  '.5',
  '1 2',
  '{} {}',
  '{}x',
  '{}\u0000',
  'null x',
  '\ufeff{}',
  'é',
  '"é"x',
  '{"auths":{}}',
  '{"a":1}',
  '{"a":null}',
  'null',
  'true',
  'false',
  '1',
  '-1.5e3',
  '1e400',
  '"x"',
  '[]',
  '[1]',
  '{"a":1e400}',
  '{"a":{"b":[1,2,{"c":tru}]}}',
  '{"a":"\\ud800"}',
  '{"a":1}\n',
  '{"a":1}\n\n',
  "'",
  '"',
  '\\',
  '\u007f',
  '\u0080',
  '{"\u0001":1}',
  '{"a":"\t"}',
  '{"a":1,"a":2}',
  '/* x */{}',
  '// x',
  'NaN',
  'Infinity',
  '{"a":undefined}',
];
/** Bytes that are no UTF-8. */
const bytes: readonly string[] = ['/w==', 'e/8=', 'IP8i', 'IiL/', 'eyJhIjoi/yJ9'];

function secret(name: string, type: string, data: JsonObject): JsonObject {
  return { metadata: { name }, type, data };
}

/** JSON in the data of Secrets, by the parser of Go. */
export const jsonTextSeries: readonly Series[] = [
  {
    name: 'JSON in Secrets',
    requests: (run) =>
      [...texts.map((text) => Buffer.from(text).toString('base64')), ...bytes].flatMap((value, index): Request[] => [
        {
          method: 'POST',
          path: `${secrets}?dryRun=All`,
          body: secret(`${run}-${index}`, 'kubernetes.io/dockerconfigjson', { '.dockerconfigjson': value }),
        },
        {
          method: 'POST',
          path: `${secrets}?dryRun=All`,
          body: secret(`${run}-${index}`, 'kubernetes.io/dockercfg', { '.dockercfg': value, 'a b': 'eA==' }),
        },
      ]),
  },
];
