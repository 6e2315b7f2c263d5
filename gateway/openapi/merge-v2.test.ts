import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeV2 } from './merge-v2.ts';

function merge(large: object, small: object): unknown {
  return JSON.parse(mergeV2(Buffer.from(JSON.stringify(large)), Buffer.from(JSON.stringify(small))).toString());
}

test('paths and definitions of both are in the merged document, shared definitions once', () => {
  const large = { swagger: '2.0', info: { title: 'x' }, paths: { '/a': { get: {} } }, definitions: { Meta: { type: 'object' }, A: { properties: { definitions: { b: 1 } } } }, security: [] };
  const small = { swagger: '2.0', paths: { '/b': { get: {} } }, definitions: { Meta: { type: 'object' }, B: {} } };
  assert.deepEqual(merge(large, small), {
    ...large, paths: { '/a': { get: {} }, '/b': { get: {} } }, definitions: { ...large.definitions, B: {} },
  });
});

test('either side may be empty', () => {
  const empty = { paths: {}, definitions: {} };
  const full = { paths: { '/a': {} }, definitions: { A: {} } };
  assert.deepEqual(merge(empty, full), full);
  assert.deepEqual(merge(full, empty), full);
});
