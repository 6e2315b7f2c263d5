import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSchemaCompiler } from '#servers/extensions/compile-schema.ts';
import { CustomResourceSchema } from '#servers/extensions/custom-resource-schema.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';

const facts = loadFacts();
const gvk = { group: 'a.example.com', version: 'v1', kind: 'Thing' };
const compiled = createSchemaCompiler(facts)(
  {
    type: 'object',
    properties: {
      embedded: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
    },
  },
  gvk,
);
const { custom } = new CustomResourceSchema(
  facts,
  gvk,
  () => compiled,
  () => {
    throw new Error('not asked for');
  },
);

test('fields of a wrong type in stored metadata go, in embedded resources too', () => {
  const metadata = { name: 'a', annotations: { a: 1, b: 'c' }, labels: { a: 'x y' }, unknown: 1 };
  const object = {
    apiVersion: 'a.example.com/v1',
    kind: 'Thing',
    metadata,
    embedded: { apiVersion: 1, kind: 'Other', metadata },
  };
  atOnce(custom.conformStored(object));
  assert.deepEqual(object, {
    apiVersion: 'a.example.com/v1',
    kind: 'Thing',
    metadata: { name: 'a', labels: { a: 'x y' } },
    embedded: { kind: 'Other', metadata: { name: 'a', labels: { a: 'x y' } } },
  });
});

test('a stored object without metadata that is a map is not read', () => {
  assert.throws(() => atOnce(custom.conformStored({ apiVersion: 'a.example.com/v1', kind: 'Thing', metadata: 1 })));
});

test('defaults beside an embedded resource that is malformed are set: what is wrong with it is told by the rules for values', () => {
  const withDefaults = createSchemaCompiler(facts)(
    {
      type: 'object',
      properties: {
        embedded: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { metadata: { type: 'object', default: { name: 'b', unknown: 1 } } },
        },
      },
    },
    gvk,
  );
  const malformed = { embedded: { apiVersion: 'v1', kind: null } };
  assert.equal(atOnce(withDefaults.applyDefaults(malformed)), true);
  assert.deepEqual(
    [malformed.embedded.kind, atOnce(withDefaults.validateEmbedded(malformed)).length > 0],
    [null, true],
  );
  const plain = { embedded: { apiVersion: 'v1', kind: 'Other' } };
  atOnce(withDefaults.applyDefaults(plain));
  assert.deepEqual(plain.embedded, { apiVersion: 'v1', kind: 'Other', metadata: { name: 'b' } });
});
