import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { deducedMap, deducedView, type TypeView } from '#shared/apimachinery/schema/type-view.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { compareTyped } from './compare-typed.ts';
import { mergeTyped } from './merge-typed.ts';
import { viewOfStructural } from './structural-view.ts';
import { toFieldSet } from './to-field-set.ts';
import { validateTyped } from './validate-typed.ts';

const objectMeta: TypeView = { name: 'ObjectMeta', scalar: undefined, list: undefined, map: deducedMap };
const crd: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        port: { 'x-kubernetes-int-or-string': true },
        typedPort: { type: 'object', 'x-kubernetes-int-or-string': true, properties: { name: { type: 'string' } } },
        tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        parts: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name', 'kind'],
          items: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              kind: { type: 'string', default: 'plain' },
              n: { type: 'integer' },
            },
          },
        },
        free: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { known: { type: 'string' } },
        },
        limits: { type: 'object', additionalProperties: { type: 'integer' }, 'x-kubernetes-map-type': 'atomic' },
        inner: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'object' } } },
      },
    },
  },
};
const type = viewOfStructural(crd, { objectMeta, preserveUnknownFields: false });

function errorsOf(spec: JsonValue): string[] {
  return atOnce(validateTyped({ value: { spec }, type }, { allowDuplicates: false })).map(
    ({ path, message }) => `${path}: ${message}`,
  );
}

describe('validateTyped', () => {
  test("allows the fields of a custom resource's schema and of ObjectMeta, and reports others with their path", () => {
    assert.deepEqual(
      atOnce(
        validateTyped(
          { value: { apiVersion: 'a/v1', kind: 'A', metadata: { name: 'a' }, spec: {} }, type },
          { allowDuplicates: false },
        ),
      ),
      [],
    );
    assert.deepEqual(
      errorsOf({
        size: 1,
        port: 'http',
        parts: [{ name: 'a' }, { name: 'a', kind: 'b' }],
        free: { x: [1] },
        inner: { kind: 'x', metadata: {} },
      }),
      [],
    );
    assert.deepEqual(errorsOf({ sized: 1 }), ['.spec.sized: field not declared in schema']);
    assert.deepEqual(errorsOf({ size: 'x' }), ['.spec.size: expected numeric (int or float), got string']);
    assert.deepEqual(errorsOf({ tags: [1] }), [
      '.spec.tags[=1]: expected string, got &value.valueUnstructured{Value:1}',
    ]);
    assert.deepEqual(errorsOf({ tags: ['a', 'a'] }), ['.spec.tags: duplicate entries for key [="a"]']);
    assert.deepEqual(errorsOf({ parts: [{ name: 'a' }, { name: 'a', kind: 'plain' }] }), [
      '.spec.parts: duplicate entries for key [kind="plain",name="a"]',
    ]);
    assert.deepEqual(errorsOf({ parts: {} }), ['.spec.parts: expected list, got &{map[]}']);
    assert.deepEqual(errorsOf({ inner: { status: {} } }), ['.spec.inner.status: field not declared in schema']);
    // As kube-apiserver answers, whose validation allows the value.
    assert.deepEqual(errorsOf({ typedPort: 'abc' }), ['.spec.typedPort: expected map, got &{abc}']);
  });
});

describe('toFieldSet', () => {
  test('returns leaves, list items and keys that no schema declares', () => {
    const set = atOnce(
      toFieldSet({
        value: {
          spec: {
            size: 1,
            tags: ['b', 'a'],
            parts: [{ name: 'a', n: 2 }],
            free: { x: { y: 1 }, known: 'k' },
            limits: { a: 1 },
          },
        },
        type,
      }),
    );
    assert.deepEqual(set.toString().split('\n').toSorted(), [
      '.spec.free.known',
      '.spec.free.x',
      '.spec.free.x.y',
      '.spec.limits',
      '.spec.parts[kind="plain",name="a"]',
      '.spec.parts[kind="plain",name="a"].n',
      '.spec.parts[kind="plain",name="a"].name',
      '.spec.size',
      '.spec.tags[="a"]',
      '.spec.tags[="b"]',
    ]);
  });
});

describe('compareTyped', () => {
  test('reports a new object as added together with all its fields', () => {
    const { added, modified, removed } = atOnce(
      compareTyped({ spec: { size: 1 } }, { spec: { size: 2, free: { a: { b: null } } } }, type),
    );
    assert.equal(added.toString(), '.spec.free\n.spec.free.a\n.spec.free.a.b');
    assert.equal(modified.toString(), '.spec.size');
    assert.ok(removed.isEmpty);
  });
});

describe('mergeTyped', () => {
  test('shares unchanged parts with the live object', () => {
    const live: JsonObject = {
      spec: {
        parts: [
          { name: 'a', n: 1 },
          { name: 'b', n: 1 },
        ],
        free: { x: 1 },
      },
    };
    const merged = atOnce(mergeTyped({ value: live, type }, { spec: { parts: [{ name: 'b', n: 2 }] } })).value as {
      spec: { parts: JsonValue[]; free: JsonValue };
    };
    assert.deepEqual(merged.spec.parts, [
      { name: 'a', n: 1 },
      { name: 'b', n: 2 },
    ]);
    const { spec } = live as { spec: { parts: JsonValue[]; free: JsonValue } };
    assert.equal(merged.spec.parts[0], spec.parts[0]);
    assert.equal(merged.spec.free, spec.free);
    assert.equal(atOnce(mergeTyped({ value: live, type }, { spec: { free: { x: 1 } } })).value, live);
  });
});

describe('custom resource without a schema', () => {
  test('gives keys their own owners and treats lists as atomic', () => {
    assert.equal(atOnce(toFieldSet({ value: { a: { b: [{ c: 1 }] } }, type: deducedView })).toString(), '.a\n.a.b');
    const none = viewOfStructural(undefined, { objectMeta, preserveUnknownFields: false });
    assert.equal(
      atOnce(toFieldSet({ value: { metadata: { name: 'a' } }, type: none })).toString(),
      '.metadata\n.metadata.name',
    );
  });
});

describe('custom resource with keys such as __proto__', () => {
  test('is merged and compared without touching prototypes', () => {
    const live = JSON.parse('{"spec":{"free":{"__proto__":{"a":1},"constructor":1}}}') as JsonObject;
    const merged = atOnce(
      mergeTyped(
        { value: live, type },
        JSON.parse('{"spec":{"free":{"__proto__":{"b":2},"toString":3}}}') as JsonObject,
      ),
    ).value;
    assert.equal(JSON.stringify(merged), '{"spec":{"free":{"__proto__":{"a":1,"b":2},"constructor":1,"toString":3}}}');
    assert.equal(
      atOnce(compareTyped({ spec: { free: {} } }, live, type)).added.toString(),
      '.spec.free.__proto__\n.spec.free.constructor\n.spec.free.__proto__.a',
    );
  });
});
