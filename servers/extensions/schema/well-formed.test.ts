import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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

describe('custom resource metadata', () => {
  test('loses fields of a wrong type when a stored object is read, also in embedded resources', () => {
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

  test('makes a stored object unreadable when it is not a map', () => {
    assert.throws(() => atOnce(custom.conformStored({ apiVersion: 'a.example.com/v1', kind: 'Thing', metadata: 1 })));
  });

  test('is defaulted beside a malformed embedded resource, which validation then reports', () => {
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
});
