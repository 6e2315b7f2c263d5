import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import {
  goBoolean,
  goInt32,
  goInt64,
  pointerTo,
  goQuantity,
  sliceOf,
  goString,
  goTime,
  type EncodingJsonType,
} from './encoding-json-types.ts';
import { decodeEncodingJson } from './encoding-json.ts';

/** What test/recorders/encoding-json recorded of Go. */
interface Recorded {
  readonly text: string;
  readonly value?: JsonValue;
  readonly error?: string;
}

const recorded = JSON.parse(
  readFileSync(new URL('testdata/encoding-json.json', import.meta.url), 'utf8'),
) as readonly Recorded[];

const inner: EncodingJsonType = {
  kind: 'struct',
  name: 'v1.Inner',
  fields: [
    { name: 'name', type: goString },
    { name: 'count', type: goInt32 },
    { name: 'Untold', type: pointerTo(goInt64) },
  ],
};
const outer: EncodingJsonType = {
  kind: 'struct',
  name: 'v1.Outer',
  fields: [
    { name: 'kind', type: goString },
    { name: 'isSet', type: goBoolean },
    { name: 'big', type: pointerTo(goInt64) },
    { name: 'labels', type: { kind: 'map', name: 'map[string]string', of: goString } },
    { name: 'texts', type: sliceOf(goString) },
    { name: 'items', type: sliceOf(inner) },
    { name: 'inner', type: inner },
    { name: 'optional', type: pointerTo(inner) },
    { name: 'amount', type: goQuantity },
    { name: 'limit', type: pointerTo(goQuantity) },
    { name: 'when', type: goTime },
  ],
};

describe('decodeEncodingJson', () => {
  test('has many recorded texts, of which Go refuses some', () => {
    assert.ok(recorded.length > 900);
    assert.ok(recorded.filter(({ error }) => error !== undefined).length > 300);
  });

  for (const { text, value, error } of recorded)
    test(`${error === undefined ? 'decodes' : 'refuses'} ${text} as Go does`, () => {
      const decoded = decodeEncodingJson(text, outer);
      assert.equal(decoded.error, error);
      if (error === undefined) assert.deepEqual(decoded.value, value);
    });

  test('takes no more time for each byte of a long text', () => {
    const text = `[${'{"name":"n","other":[[[1]]]},'.repeat(20_000)}null]`;
    const { value, error } = decodeEncodingJson(text, sliceOf(inner));
    assert.equal(error, undefined);
    assert.equal((value as JsonValue[]).length, 20_001);
  });
});
