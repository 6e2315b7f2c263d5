import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StatusError } from '#shared/apimachinery/errors/status.ts';
import { asKubeObject, type ObjectMeta } from '#shared/apimachinery/object.ts';
import { validateFinalizerNames } from './finalizer-names.ts';
import {
  fillSystemFields,
  keepOwnMetadata,
  matchNamespace,
  raiseGeneration,
  wipeSystemFields,
} from './object-metadata.ts';

describe('wipeSystemFields and fillSystemFields', () => {
  test('replace the fields that only the server sets', () => {
    const metadata: ObjectMeta = {
      name: 'a',
      uid: 'mine',
      creationTimestamp: '2020-01-01T00:00:00Z',
      deletionTimestamp: '2020-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 5,
      selfLink: '/a',
    };
    wipeSystemFields(metadata);
    assert.deepEqual(Object.keys(metadata), ['name']);
    fillSystemFields(metadata, Date.parse('2026-01-01T00:00:00.9Z'), 'things/a');
    assert.equal(metadata.creationTimestamp, '2026-01-01T00:00:00Z');
    assert.match(metadata.uid ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});

describe('matchNamespace', () => {
  test("takes the request's namespace, and rejects a different one with 400", () => {
    const within = (namespace: string | undefined, asked: string): ObjectMeta => {
      const metadata: ObjectMeta = { name: 'a', ...(namespace === undefined ? {} : { namespace }) };
      matchNamespace(metadata, asked);
      return metadata;
    };
    assert.deepEqual(within(undefined, 'ns'), { name: 'a', namespace: 'ns' });
    assert.deepEqual(within('ns', 'ns'), { name: 'a', namespace: 'ns' });
    assert.deepEqual(within('ns', ''), { name: 'a' });
    assert.throws(
      () => within('other', 'ns'),
      // apiserver/pkg/registry/rest/meta.go, EnsureObjectNamespaceMatchesRequestNamespace
      ({ status }: StatusError) =>
        status.code === 400 &&
        status.message === 'the namespace of the provided object does not match the namespace sent on the request',
    );
  });
});

describe('keepOwnMetadata', () => {
  test('keeps the stored metadata except for managed fields', () => {
    const metadata: ObjectMeta = { name: 'a', labels: { a: 'new' }, finalizers: ['x/y'], managedFields: [] };
    keepOwnMetadata(metadata, { name: 'a', labels: { a: 'old' }, annotations: { b: 'c' } });
    assert.deepEqual(metadata, { name: 'a', labels: { a: 'old' }, annotations: { b: 'c' }, managedFields: [] });
  });
});

describe('raiseGeneration', () => {
  test('counts from one', () => {
    const metadata: ObjectMeta = { name: 'a' };
    raiseGeneration(metadata);
    raiseGeneration(metadata);
    assert.equal(metadata.generation, 2);
  });
});

describe('validateFinalizerNames', () => {
  test('requires a domain except for the three standard finalizers', () => {
    const object = asKubeObject({
      metadata: { finalizers: ['orphan', 'kubernetes', 'foregroundDeletion', 'a/b', 'odd'] },
    });
    assert.deepEqual(
      validateFinalizerNames(object).map(({ field, detail }) => [field, detail]),
      // pkg/apis/core/validation/validation.go, ValidateFinalizerName
      [['metadata.finalizers[4]', 'name is neither a standard finalizer name nor is it fully qualified']],
    );
  });
});
