import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { readDefinition } from './read-definition.ts';

function view(schema: unknown): ReturnType<typeof readDefinition> {
  const versions = [
    { name: 'v1', served: true, storage: true },
    { name: 'v2', served: true, storage: false, schema: { openAPIV3Schema: schema } },
  ];
  const metadata = { name: 'a.b.c', annotations: { last: '{"schema":{"openAPIV3Schema":{}}}' } };
  return readDefinition(
    Buffer.from(
      JSON.stringify({
        metadata,
        spec: { group: 'b.c', names: {}, versions, conversion: { strategy: 'None' } },
        status: { acceptedNames: {} },
      }),
    ),
    7,
  );
}

describe('readDefinition', () => {
  test('reads a schema with braces, quotes and schema-like keys when asked for it', () => {
    const schema = {
      type: 'object',
      description: 'a "}" and a \\',
      properties: { schema: { properties: { openAPIV3Schema: { type: 'string' } } } },
    };
    const { versions, namesAccepted, revision } = view(schema);
    const [v2, v1] = versions.toSorted((a, b) => (a.name < b.name ? 1 : -1));
    assert.deepEqual(v2?.schema(), schema);
    assert.deepEqual([v1?.schema(), v1?.schemaDigest], [undefined, '']);
    assert.deepEqual([namesAccepted, revision], [true, 7]);
  });

  test('gives equal digests to equal schemas only', () => {
    const digests = [{ type: 'object' }, { type: 'object' }, { type: 'string' }].map((schema) =>
      view(schema)
        .versions.map(({ schemaDigest }) => schemaDigest)
        .join(),
    );
    assert.equal(digests[0], digests[1]);
    assert.notEqual(digests[0], digests[2]);
  });
});
