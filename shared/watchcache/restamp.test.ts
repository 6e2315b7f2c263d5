import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { restamp } from './restamp.ts';

function restamped(object: object, revision: number): unknown {
  const json = Buffer.from(JSON.stringify(object));
  const entry = { key: '/t/a', namespace: '', name: 'a', revision: 1, json, labels: undefined, fields: undefined };
  return JSON.parse(restamp(entry, revision).json.toString());
}

describe('restamp', () => {
  test("replaces the metadata's resourceVersion only", () => {
    const object = (resourceVersion: string): object => ({
      apiVersion: 'v1',
      data: { resourceVersion: '1', metadata: { resourceVersion: '1' } },
      metadata: {
        annotations: { a: '{"resourceVersion":"1"}', resourceVersion: '1' },
        labels: { 'a"b\\': '}' },
        resourceVersion,
      },
      spec: { resourceVersion: '1' },
    });
    assert.deepEqual(restamped(object('1'), 12_345), object('12345'));
  });

  test('leaves everything else alone, whatever strings come before', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.jsonValue(), (text, value) => {
        const object = (resourceVersion: string): object => ({
          [`k${text}`]: value,
          metadata: { [`l${text}`]: text, resourceVersion },
          z: [text, value],
        });
        // Through JSON, since it drops what a value cannot keep (−0).
        assert.deepEqual(restamped(object('9'), 10), JSON.parse(JSON.stringify(object('10'))));
      }),
    );
  });

  test('leaves an object without resourceVersion alone', () => {
    assert.deepEqual(restamped({ metadata: { name: 'a' } }, 5), { metadata: { name: 'a' } });
  });
});
