import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSchemaCompiler } from '#servers/extensions/compile-schema.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { atOnce, inSlices } from '#shared/apimachinery/slices/slices.ts';
import { turnsDuring } from '#shared/apimachinery/slices/testing/turns-during.ts';

const compiled = createSchemaCompiler(loadFacts())(
  {
    type: 'object',
    properties: {
      list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string', default: 'x' } } } },
      map: { type: 'object', additionalProperties: { type: 'object', properties: { a: { type: 'string' } } } },
      keeps: {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { part: { type: 'object', properties: { a: { type: 'string' } } } },
      },
      resource: {
        type: 'array',
        items: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
  { group: 'a.example.com', version: 'v1', kind: 'Thing' },
);

/** An object with so many items, some of which hold what the schema does not name. */
function thing(items: number): JsonObject {
  const each = <T>(make: (i: number) => T): T[] => Array.from({ length: items }, (_, i) => make(i));
  return {
    apiVersion: 'a.example.com/v1',
    kind: 'Thing',
    metadata: { name: 'a' },
    other: 1,
    list: each((i) => (i % 3 === 0 ? { unknown: i } : i % 3 === 1 ? { a: 'y' } : null)),
    map: Object.fromEntries(each((i) => [`k${i}`, { a: 'x', [`u${i % 5}`]: {} }])),
    keeps: { free: 1, part: { a: 'x', gone: 1 } },
    resource: each((i) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `a${i}`, labels: { a: 'b' }, wrong: 1 },
    })),
  };
}

describe('compiled schema', () => {
  test('prunes and defaults in slices as it does at once', async () => {
    const [once, sliced] = [thing(100), thing(100)];
    assert.deepEqual(await inSlices(compiled.prune(sliced)), atOnce(compiled.prune(once)));
    assert.equal(await inSlices(compiled.applyDefaults(sliced)), atOnce(compiled.applyDefaults(once)));
    assert.deepEqual(sliced, once);
    assert.deepEqual([once['other'], once['keeps']], [undefined, { free: 1, part: { a: 'x' } }]);
  });

  test('yields to the event loop while it prunes, defaults and validates a large object', async () => {
    const object = thing(10_000);
    assert.ok((await turnsDuring(compiled.prune(object))).turns > 5);
    assert.ok((await turnsDuring(compiled.validateEmbedded(object))).turns > 5);
    assert.ok(
      (await turnsDuring(compiled.applyDefaults({ list: Array.from({ length: 300_000 }, () => ({})) }))).turns > 3,
    );
  });
});
