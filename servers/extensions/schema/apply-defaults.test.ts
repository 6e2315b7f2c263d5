import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { applySchemaDefaults, hasDefault } from './apply-defaults.ts';
import { SchemaNode } from './schema-node.ts';
import { schemasWith } from './schemas-with.ts';

function applyDefaults(object: JsonObject, raw: JsonObject): boolean {
  return atOnce(applySchemaDefaults(object, new SchemaNode(raw), schemasWith(raw, hasDefault)));
}

const listOf = (items: JsonObject): JsonObject => ({
  type: 'object',
  properties: { list: { type: 'array', items } },
});

describe('applySchemaDefaults', () => {
  test('sets the defaults of fields in list items', () => {
    const object = { list: [{}, { a: 1 }] };
    const changed = applyDefaults(
      object,
      listOf({
        type: 'object',
        properties: { a: { type: 'integer', default: 2 }, b: { type: 'object', default: {} } },
      }),
    );
    assert.equal(changed, true);
    assert.deepEqual(object, {
      list: [
        { a: 2, b: {} },
        { a: 1, b: {} },
      ],
    });
  });

  test('refuses with 413 when many defaults of many items exceed the size limit', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 30_000 }, (_, index) => [`p${index}`, { type: 'string', default: 'v' }]),
    );
    const object = { list: Array.from({ length: 400_000 }, () => ({})) };
    assert.throws(() => applyDefaults(object, listOf({ type: 'object', properties })), { code: 413 });
  });

  test('refuses with 413 when a large default of many items exceeds the size limit', () => {
    const large = Array.from({ length: 100_000 }, () => ({}));
    const object = { list: Array.from({ length: 100_000 }, () => ({})) };
    const items = { type: 'object', properties: { p: { type: 'array', items: { type: 'object' }, default: large } } };
    assert.throws(() => applyDefaults(object, listOf(items)), { code: 413 });
  });
});
