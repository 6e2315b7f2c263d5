import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, it } from 'node:test';
import { compactJson } from './compact-json.ts';

describe('compactJson', () => {
  for (const [json, compact] of [
    ['{"a":1}', '{"a":1}'],
    [' { "a b" : [ 1 , 2.50 ] }\n', '{"a b":[1,2.50]}'],
    ['{"a":"<&> \\"<\\" \u2028\u2029\u20ac\\\\"}', String.raw`{"a":"\u003c\u0026\u003e \"\u003c\" \u2028\u2029€\\"}`],
    ['"\\u003c"', '"\\u003c"'],
  ] as const) {
    it(`writes ${JSON.stringify(json)} as Go's encoder`, () => {
      assert.equal(compactJson(Buffer.from(json)).toString(), compact);
    });
  }
});
