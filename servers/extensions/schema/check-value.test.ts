import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorText } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { checkValue } from './check-value.ts';
import { OldValue } from './old-value.ts';
import { SchemaNode } from './schema-node.ts';

const low = { properties: { kept: { minimum: 5 } } };

/** The errors for an object of which `kept` stays 0 and `changed` becomes 1. */
function errorsOf(more: JsonObject): string[] {
  const properties = { kept: { type: 'integer' }, changed: { type: 'integer' } };
  const schema = new SchemaNode({ type: 'object', properties, ...more });
  const old = new OldValue({ kept: 0, changed: 0 }, schema);
  const { violations } = atOnce(checkValue({ kept: 0, changed: 1 }, schema, 'spec', old));
  return violations.map(({ error }) => fieldErrorText(error()));
}

// The errors of kube-apiserver v1.36.3; test/conformance/series/custom-ratchets.ts compares with a live one.
describe('unchanged part of a changed object', () => {
  const broken = 'spec.kept: Invalid value: 0: spec.kept in body should be greater than or equal to 5';

  test('may break the schema of its property', () =>
    assert.deepEqual(errorsOf({ properties: { kept: { type: 'integer', minimum: 5 } } }), []));

  test('may not break a schema of allOf', () =>
    assert.deepEqual(errorsOf({ allOf: [low] }), [
      broken,
      '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf). None validated',
    ]));

  test('may not break all schemas of anyOf', () =>
    assert.deepEqual(errorsOf({ anyOf: [low, { required: ['missing'] }] }), [
      '<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)',
      broken,
    ]));

  test('may not break all schemas of oneOf', () =>
    assert.deepEqual(errorsOf({ oneOf: [low, { required: ['missing'] }] }), [
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid',
      broken,
    ]));

  test('keeps the object from matching the schema of not', () => assert.deepEqual(errorsOf({ not: low }), []));
});

describe('oneOf without a schema that matches', () => {
  test('tells the errors of the schema that allows more, in which a null counts', () => {
    const oneOf = [{ not: { required: ['a'] } }, { properties: { a: { enum: ['x'] } } }];
    const schema = new SchemaNode({
      type: 'object',
      properties: { a: { type: 'string', nullable: true } },
      oneOf,
    });
    const { violations } = atOnce(checkValue({ a: null }, schema, 'spec'));
    assert.deepEqual(
      violations.map(({ error }) => fieldErrorText(error())),
      [
        '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid',
        'spec.a: Unsupported value: null: supported values: "x"',
      ],
    );
  });
});
