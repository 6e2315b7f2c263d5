import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { rawText } from './loose.ts';
import { parseSharingSets } from './parse-sharing-sets.ts';

function setsOf(value: JsonValue): JsonValue[] {
  const { metadata } = value as { metadata: { managedFields: JsonObject[] } };
  return metadata.managedFields.flatMap(({ fieldsV1 }) => fieldsV1 ?? []);
}

function printed(managedFields: JsonValue, others: JsonObject = {}): string {
  return JSON.stringify({ kind: 'A', metadata: { name: 'a', managedFields }, ...others });
}

const spec = { 'f:spec': { 'k:{"name":"a"}': { '.': {} } } };
const status = { 'f:status': { 'f:phase': {} } };
const entry = { manager: 'a', operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: spec };

describe('parseSharingSets', () => {
  test('shares the field sets of all entries', () => {
    const ofStatus = { ...entry, manager: 'b', fieldsV1: status, subresource: 'status' };
    for (const entries of [
      [entry],
      [ofStatus],
      [entry, ofStatus],
      [ofStatus, entry],
      [entry, entry],
      [ofStatus, ofStatus],
    ]) {
      const text = printed(entries, { spec: { b: 1 } });
      const value = parseSharingSets(text);
      assert.equal(JSON.stringify(value), text);
      assert.deepEqual(setsOf(value), setsOf(parseSharingSets(text)));
      for (const [at, set] of setsOf(value).entries()) {
        assert.ok(Object.isFrozen(set));
        assert.equal(rawText(set), JSON.stringify(set));
        assert.equal(set, setsOf(parseSharingSets(text))[at]);
      }
    }
  });

  test('leaves other parts as they are', () => {
    const template = { metadata: { managedFields: [entry] } };
    for (const text of [
      '{"kind":"A","metadata":{"name":"a"}}',
      printed([]),
      printed([entry], { template }),
      printed([{ ...entry, fieldsV1: {} }]),
      printed([{ manager: 'a' }, entry]),
      printed([entry, { operation: 'Update' }]),
      JSON.stringify({ metadata: { name: 'a' }, template }),
      JSON.stringify({ template, metadata: { managedFields: [entry] } }),
      JSON.stringify({ metadata: { managedFields: [entry], namespace: 'after' } }),
      JSON.stringify({ metadata: { annotations: { a: printed([entry]) }, managedFields: [entry] } }),
    ])
      assert.equal(JSON.stringify(parseSharingSets(text)), text);
  });

  test('reads thousands of entries with a mark that never comes', () => {
    const text = printed(Array.from({ length: 5000 }, (_, at) => ({ ...entry, manager: `m${at}` })));
    assert.equal(JSON.stringify(parseSharingSets(text)), text);
  });

  test('reads field sets with the texts that end them', () => {
    for (const key of [
      'v:}},{"manager":"',
      'v:},"subresource":"',
      'v:}}]}',
      'v:"fieldsV1":{}',
      'f:}},{',
      'fieldsV1',
      'f:long'.repeat(1000),
    ]) {
      const odd = { ...entry, fieldsV1: { [key]: { 'f:b': {} } }, subresource: '"}]' };
      const text = printed([entry, odd, entry], { spec: { [key]: [{ a: {} }] } });
      assert.equal(JSON.stringify(parseSharingSets(text)), text);
    }
  });
});
