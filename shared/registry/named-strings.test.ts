import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { fieldErrorBody, invalid, notSupported, path } from '#shared/apimachinery/errors/field-error.ts';
import { withNamedStrings } from './named-strings.ts';

const odd = '<\u0001>';

function bodyOf(group: string, version: string, kind: string, field: string): string {
  const schema = loadFacts().schema(group, version, kind);
  assert.ok(schema !== undefined);
  const [error] = withNamedStrings(schema, [invalid(path(field), odd, 'x')]);
  assert.ok(error !== undefined);
  return fieldErrorBody(error);
}

describe('withNamedStrings', () => {
  // What kube-apiserver v1.36.3 answers to such values.

  test('shows values of named string types as JSON, also for paths without index or member', () => {
    const fields = [
      ['', 'v1', 'Service', 'spec.sessionAffinity'],
      ['', 'v1', 'Service', 'spec.ipFamilies[0]'],
      ['', 'v1', 'Pod', 'spec.containers[0].ports[1].protocol'],
      ['', 'v1', 'Pod', 'spec.os'],
      ['', 'v1', 'Pod', 'spec.containers[0].volumeMounts.mountPropagation'],
      ['', 'v1', 'PersistentVolumeClaim', 'spec.accessModes'],
    ] as const;
    for (const [group, version, kind, field] of fields)
      assert.equal(bodyOf(group, version, kind, field), 'Invalid value: "\\u003c\\u0001\\u003e": x', field);
  });

  test('quotes all other values as Go does', () => {
    for (const field of [
      'spec.nodeName',
      'spec.containers[0].name',
      'metadata.labels[a.b/c]',
      'spec.readinessGates[0].conditionType',
      'spec.nothing.here',
      'spec',
    ])
      assert.equal(bodyOf('', 'v1', 'Pod', field), 'Invalid value: "<\\x01>": x', field);
  });

  test('returns the same error when both forms are alike', () => {
    const schema = loadFacts().schema('', 'v1', 'Service');
    assert.ok(schema !== undefined);
    const errors = [notSupported(path('spec.type'), 'Odd', ['A'])];
    assert.equal(withNamedStrings(schema, errors)[0], errors[0]);
  });
});
