import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { uidOf } from './entry-scan.ts';

const entryOf = (json: string) => ({
  key: '',
  namespace: '',
  name: '',
  revision: 1,
  json: Buffer.from(json),
  labels: undefined,
  fields: undefined,
});

describe('uidOf', () => {
  test("returns the uid of the object's own metadata, whatever other uids the JSON holds", () => {
    for (const [json, uid] of [
      ['{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","uid":"1-2"},"spec":{}}', '1-2'],
      ['{"uid":"x","data":{"uid":"y","metadata":{"uid":"z"}},"metadata":{"labels":{"uid":"l"},"uid":"3"}}', '3'],
      ['{"metadata":{"ownerReferences":[{"uid":"o"}],"annotations":{"a":"\\"uid\\":\\"n\\""},"uid":"4"}}', '4'],
      ['{"metadata":{"uid":"a\\"b\\u20ac"}}', 'a"b\u20ac'],
      ['{"metadata":{"name":"a"}}', ''],
      ['{"kind":"Pod"}', ''],
    ] as const)
      assert.equal(uidOf(entryOf(json)), uid);
  });
});
