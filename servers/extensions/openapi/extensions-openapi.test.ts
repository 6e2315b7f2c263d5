import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { readDefinition } from '#servers/extensions/crds/read-definition.ts';
import type { DefinitionView } from '#servers/extensions/facts/definition-view.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { ExtensionsOpenApi } from './extensions-openapi.ts';

/** A definition of `group` whose schema has these properties, as JSON text. */
function definition(group: string, properties: string): DefinitionView {
  const names = '{"plural":"as","singular":"a","kind":"A","listKind":"AList"}';
  const schema = `{"openAPIV3Schema":{"type":"object","properties":${properties}}}`;
  const versions = `[{"name":"v1","served":true,"storage":true,"schema":${schema}}]`;
  return readDefinition(
    Buffer.from(
      `{"metadata":{"name":"as.${group}","uid":"${group}"},"spec":{"group":"${group}","scope":"Namespaced","names":${names},"versions":${versions}},"status":{"acceptedNames":${names},"conditions":[{"type":"Established","status":"True"}]}}`,
    ),
    1,
  );
}

const own = loadFacts()
  .groups()
  .filter(({ name }) => name === 'apiextensions.k8s.io')
  .flatMap(({ versions }) => versions)[0] ?? { group: '', version: '', resources: [] };

function documentsOf(definitions: readonly DefinitionView[], reported: string[] = []): ExtensionsOpenApi {
  return new ExtensionsOpenApi({
    facts: loadFacts(),
    own,
    definitions: () => definitions,
    build: 'test',
    apiVersion: '1.36',
    cbor: false,
    report: (message) => void reported.push(message),
  });
}

/** The text of a property in a document. */
function propertyIn(document: Buffer | undefined, name: string): string | undefined {
  return new RegExp(`"${name}":(\\{"type":"(?:integer|number|string|array)"[^{}]*\\})`).exec(String(document))?.[1];
}

describe('ExtensionsOpenApi', () => {
  // As kube-apiserver v1.36.3 prints them. A bound is a float64; an enum is one in v2 alone.
  for (const { schema, v3, v2 } of [
    {
      schema: '{"type":"integer","maximum":9223372036854776000}',
      v3: '{"type":"integer","maximum":9223372036854776000}',
      v2: '{"type":"integer","maximum":9223372036854776000}',
    },
    {
      schema: '{"type":"integer","enum":[9007199254740993,9223372036854775807]}',
      v3: '{"type":"integer","enum":[9007199254740993,9223372036854775807]}',
      v2: '{"type":"integer","enum":[9007199254740992,9223372036854776000]}',
    },
    {
      schema: '{"type":"integer","default":9223372036854775807}',
      v3: '{"type":"integer","default":9223372036854775807}',
      v2: '{"type":"integer"}',
    },
    {
      schema: '{"type":"integer","example":18446744073709551615}',
      v3: '{"type":"integer","example":18446744073709552000}',
      v2: '{"type":"integer","example":18446744073709552000}',
    },
    {
      schema: '{"type":"string","maxLength":9223372036854775807}',
      v3: '{"type":"string","maxLength":9223372036854775807}',
      v2: '{"type":"string","maxLength":9223372036854775807}',
    },
  ])
    test(`prints ${schema} as kube-apiserver does`, async () => {
      const documents = documentsOf([definition('a.io', `{"probe":${schema}}`)]);
      assert.equal(propertyIn((await documents.v3('apis/a.io/v1'))?.bytes, 'probe'), v3);
      assert.equal(propertyIn((await documents.v2()).bytes, 'probe'), v2);
    });

  test('has the models of all other definitions where one schema cannot be read', async () => {
    const broken = definition('b.io', '{}');
    const unreadable = (): never => {
      throw new Error('a schema is no object');
    };
    const reported: string[] = [];
    const documents = documentsOf(
      [
        definition('a.io', '{"probe":{"type":"string"}}'),
        { ...broken, versions: broken.versions.map((version) => ({ ...version, schema: unreadable })) },
      ],
      reported,
    );
    const { paths, definitions } = JSON.parse((await documents.v2()).bytes.toString()) as {
      paths: object;
      definitions: Record<string, { properties?: Record<string, unknown> }>;
    };
    assert.deepEqual(definitions['io.a.v1.A']?.properties?.['probe'], { type: 'string' });
    assert.deepEqual(definitions['io.b.v1.A'], { type: 'object' });
    assert.ok(Object.hasOwn(paths, '/apis/b.io/v1/as'));
    assert.deepEqual(reported, ['the schema of as.b.io cannot be documented']);
  });
});
