import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorText } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { validateDefinition, validateDefinitionUpdate } from './validate-definition.ts';

/** Of old, when schemas needed no structure: `foo` has no type. */
function stored(schema: JsonObject): KubeObject {
  return asKubeObject({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'olds.example.com', resourceVersion: '1' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'olds', singular: 'old', kind: 'Old', listKind: 'OldList' },
      preserveUnknownFields: true,
      conversion: { strategy: 'None' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { foo: {} }, ...schema } },
        },
      ],
    },
    status: { storedVersions: ['v1'] },
  });
}

async function errorsOf(schema: JsonObject): Promise<string[]> {
  return (await inSlices(validateDefinitionUpdate(stored(schema), stored({}), '1.35'))).map(fieldErrorText);
}

const noType =
  'spec.validation.openAPIV3Schema.properties[foo].type: Required value: must not be empty for specified object fields';

describe('validateDefinitionUpdate', () => {
  test('accepts a stored non-structural schema until the update adds rules or defaults', async () => {
    assert.deepEqual(await errorsOf({ description: 'x' }), []);
    assert.deepEqual(await errorsOf({ 'x-kubernetes-validations': [{ rule: 'has(self.foo)' }] }), [noType]);
    assert.deepEqual(await errorsOf({ 'x-kubernetes-map-type': 'atomic' }), []);
    assert.deepEqual(await errorsOf({ default: {} }), [
      'spec.preserveUnknownFields: Invalid value: true: must be false in order to use defaults in the schema',
      noType,
    ]);
  });
});

describe('default of an embedded resource', () => {
  const withDefault = (metadata: JsonObject): JsonObject => ({
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
    default: { apiVersion: 'v1', kind: 'Pod', metadata },
  });

  test('is stored with the metadata that the reference reads in it', async () => {
    const pod = withDefault({ labels: { a: null }, creationTimestamp: null, annotations: {} });
    const definition = stored({ properties: { pod } });
    (definition['spec'] as JsonObject)['preserveUnknownFields'] = false;
    await inSlices(validateDefinition(definition, '1.35'));
    assert.deepEqual(pod['default'], { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: '' } } });
  });
});
