import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Field, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { emptyBytesIn } from './empty-bytes.ts';

const bytes = { kind: 'scalar', type: 'bytes' } as Schema;

/** Types by name; fields are told when all of them are there, since they hold one another. */
function typesOf(
  fields: Readonly<Record<string, (types: Readonly<Record<string, StructSchema>>) => Readonly<Record<string, Schema>>>>,
): Readonly<Record<string, StructSchema>> {
  const flats = new Map<string, Field[]>(Object.keys(fields).map((name) => [name, []]));
  const types = Object.fromEntries(
    [...flats].map(([name, flat]) => [name, { kind: 'struct', name, flat } as unknown as StructSchema]),
  );
  for (const [name, make] of Object.entries(fields)) {
    for (const [field, schema] of Object.entries(make(types)))
      flats.get(name)?.push({ name: field, schema, omitEmpty: true } as Field);
  }
  return types;
}

describe('emptyBytesIn', () => {
  test('finds empty bytes in mutually recursive types, whichever is asked first', () => {
    for (const first of ['a', 'b'] as const) {
      const { a, b } = typesOf({
        a: (types) => ({ b: types['b'] as Schema, data: bytes }),
        b: (types) => ({ items: { kind: 'list', items: types['a'] as Schema } }),
      });
      const found = {
        a: () => emptyBytesIn(a as Schema, { b: { items: [{ data: '' }] } }),
        b: () => emptyBytesIn(b as Schema, { items: [{ data: '' }] }),
      };
      const other = first === 'a' ? 'b' : 'a';
      found[first]();
      assert.equal(found[other](), other === 'a' ? 'b(items(0(data,)))' : 'items(0(data,))');
    }
  });
});
