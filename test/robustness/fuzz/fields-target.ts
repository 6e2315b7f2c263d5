import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import {
  formatFieldsV1AtOnce,
  parseFieldsV1AtOnce,
} from '#shared/apimachinery/managed-fields/testing/fields-v1-at-once.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { parseJson } from '#shared/serializer/json/parse.ts';
import { promise } from './fuzz-target.ts';
import type { FuzzTarget } from './fuzz-target.ts';

const sample =
  '{"f:metadata":{"f:labels":{".":{},"f:app":{}},"f:finalizers":{"v:\\"x/y\\"":{}}},"f:spec":{"f:ports":{"k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:name":{}},"i:0":{}}}}';

/** Managed fields, as objects bring them: a set that was read is written and read as the same. */
export function createFieldsTarget(): FuzzTarget {
  return {
    name: 'field-set',
    samples: [sample],
    refusals: ['JsonSyntaxError', 'JsonDepthError', 'FieldsV1Error', 'Error'],
    tokens: [
      '"f:__proto__":{}',
      '"f:',
      '"k:{}":{}',
      '"v:1":{}',
      '"i:-1":{}',
      '"v:{\\"a\\":1}":{}',
      '".":{}',
      '{',
      '}',
      ',',
      ':',
      '"x:":{}',
      '"k:{\\"a\\":1e999}":{}',
      '"i:9223372036854775808":{}',
    ],
    run: (bytes) => {
      const set = parseFieldsV1AtOnce(atOnce(parseJson(bytes)));
      const text = JSON.stringify(formatFieldsV1AtOnce(set) satisfies JsonValue);
      const again = JSON.stringify(formatFieldsV1AtOnce(parseFieldsV1AtOnce(atOnce(parseJson(Buffer.from(text))))));
      promise(again === text, `${text} is read as ${again}`);
    },
  };
}
