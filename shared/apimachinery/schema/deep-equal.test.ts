import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { deepEqual, semanticEqual, semanticEqualAs, semanticEqualAsInSteps } from './deep-equal.ts';
import type { Field, StructSchema } from './schema.ts';

const pod = (container: JsonObject, spec: JsonObject = {}): JsonObject => ({
  metadata: { labels: { a: 'b' } },
  spec: { ...spec, containers: [{ name: 'c', ...container }] },
});

describe('semanticEqualAsInSteps', () => {
  test('returns what semanticEqualAs returns', async () => {
    const schema = loadFacts().schema('', 'v1', 'Pod');
    assert.ok(schema !== undefined);
    const objects = [
      pod({}),
      pod({ env: [] }),
      pod({ args: null }),
      pod({ securityContext: {} }),
      pod({ resources: {} }),
      pod({ resources: { limits: { cpu: '1' } } }),
      pod({ resources: { limits: { cpu: '1000m' } } }),
      pod({ resources: { limits: { memory: '1' } } }),
      pod({ stdin: false }),
      pod({ stdin: true }),
      pod({}, { nodeSelector: {} }),
      pod({}, { unknown: 1 }),
      { ...pod({}), metadata: {} },
    ];
    for (const a of objects)
      for (const b of objects) {
        const [left, right] = [structuredClone(a), structuredClone(b)];
        assert.equal(
          await inSlices(semanticEqualAsInSteps(schema, left, right)),
          semanticEqualAs(schema, left, right),
          JSON.stringify([a, b]),
        );
      }
  });
});

describe('semanticEqual and semanticEqualAs', () => {
  test('treat an absent and an empty value as equal unless the type has a pointer', () => {
    assert.ok(!deepEqual({ a: {} }, {}));
    assert.ok(semanticEqual({ a: {}, b: [] }, {}));
    assert.ok(!semanticEqual({ a: 'x' }, {}));
    const base = { goName: '', number: 1, inline: false, omitEmpty: true, omitZero: false, required: false };
    const empty: StructSchema = { kind: 'struct', name: '', goName: '', fields: [], flat: [], byName: new Map() };
    const flat: Field[] = [
      { ...base, name: 'p', pointer: true, schema: empty },
      { ...base, name: 'v', pointer: false, schema: empty },
      { ...base, name: 'n', pointer: false, schema: { kind: 'scalar', type: 'int32' } },
      { ...base, name: 'q', pointer: false, schema: { kind: 'scalar', type: 'quantity' } },
    ];
    const schema: StructSchema = { ...empty, flat, byName: new Map(flat.map((field) => [field.name, field])) };
    assert.ok(semanticEqualAs(schema, { v: {}, n: 0, q: '1000m' }, { q: '1' }));
    assert.ok(!semanticEqualAs(schema, { p: {} }, {}));
    assert.ok(!semanticEqualAs(schema, {}, { n: 1 }));
  });

  test('compare JSON schema nodes that may also be booleans', () => {
    const base = { number: 1, inline: false, omitEmpty: true, omitZero: false, required: false, pointer: true };
    const type: Field = { ...base, name: 'type', goName: 'Type', schema: { kind: 'scalar', type: 'string' } };
    const props: StructSchema = {
      kind: 'struct',
      name: '',
      goName: 'JSONSchemaProps',
      fields: [type],
      flat: [type],
      byName: new Map([['type', type]]),
    };
    const inner: Field = { ...base, name: 'Schema', goName: 'Schema', schema: props };
    const either: StructSchema = {
      ...props,
      fields: [inner],
      flat: [inner],
      byName: new Map([['Schema', inner]]),
      jsonForm: 'orBool',
    };
    assert.ok(semanticEqualAs(either, { type: 'string' }, { type: 'string' }));
    assert.ok(!semanticEqualAs(either, { type: 'string' }, { type: 'integer' }));
    assert.ok(!semanticEqualAs(either, true, false));
    assert.ok(!semanticEqualAs(either, true, { type: 'string' }));
  });
});
