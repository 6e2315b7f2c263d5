import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { SchemaMap } from './schema-map.ts';

function mapOf(raw: JsonObject): { readonly map: SchemaMap<JsonObject>; readonly read: JsonObject[] } {
  const read: JsonObject[] = [];
  return {
    read,
    map: new SchemaMap(raw, (schema) => {
      read.push(schema);
      return { ...schema };
    }),
  };
}

describe('SchemaMap', () => {
  test('reads a schema once, when it is asked for', () => {
    const raw = { a: { type: 'string' }, b: { type: 'integer' }, c: true };
    const { map, read } = mapOf(raw);
    assert.equal(map.size, 2);
    assert.ok(map.has('b') && !map.has('c'));
    assert.deepEqual(read, []);
    assert.equal(map.get('b'), map.get('b'));
    assert.deepEqual(read, [raw.b]);
  });

  test('returns undefined for values that are not schemas and for names of Object.prototype', () => {
    const { map } = mapOf({ c: true, d: null });
    for (const name of ['c', 'd', 'constructor', '__proto__', 'none']) assert.equal(map.get(name), undefined);
    assert.deepEqual([...map], []);
  });

  test('visits schemas in their order', () => {
    const { map } = mapOf({ b: { type: 'integer' }, x: 1, a: { type: 'string' } });
    assert.deepEqual([...map.keys()], ['b', 'a']);
    assert.deepEqual([...map.values()], [{ type: 'integer' }, { type: 'string' }]);
    const visited: string[] = [];
    map.forEach((_node, name) => visited.push(name));
    assert.deepEqual(visited, ['b', 'a']);
  });
});
