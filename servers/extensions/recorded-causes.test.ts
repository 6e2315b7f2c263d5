import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { fieldErrorBody, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#shared/apimachinery/validation/meta-validation.ts';
import { isDNS1123Subdomain } from '#shared/apimachinery/validation/names.ts';
import { atOncePace } from '#shared/registry/pace.ts';
import { conform } from '#shared/serializer/json/conform.ts';
import { createSchemaCompiler } from './compile-schema.ts';
import { definitionStrategy } from './crds/definition-strategy.ts';
import { validateDefinition, validateDefinitionUpdate } from './crds/validate-definition.ts';
import { supportedFormat } from './schema/formats.ts';
import { definitionCases } from './testdata/definition-cases.ts';
import { formatNames, formatTexts } from './testdata/format-cases.ts';
import { updateCases, updatedDefinition, type UpdateCase } from './testdata/update-cases.ts';
import { valueCases, valueProperties } from './testdata/value-cases.ts';

const recorded = JSON.parse(readFileSync(new URL('./testdata/recorded.json', import.meta.url), 'utf8')) as {
  readonly definitions: Readonly<Record<string, readonly string[]>>;
  readonly updates: Readonly<Record<string, readonly string[]>>;
  readonly values: readonly (readonly string[])[];
  readonly formats: Readonly<Record<string, readonly string[]>>;
};
const facts = loadFacts();
const context = {
  user: { name: 'u', uid: '', groups: [], extra: {} },
  namespace: '',
  dryRun: true,
  subresource: '',
  addWarning: () => undefined,
  pace: atOncePace,
  nowMs: 0,
};

function causes(errors: readonly FieldError[]): string[] {
  const texts = errors.map((error) => `${error.field}: ${error.type}: ${fieldErrorBody(error)}`);
  return [...new Set(texts)].toSorted();
}

/** As a client's body is decoded and defaulted. */
function decoded(definition: JsonObject): KubeObject {
  const schema = facts.schema('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition');
  assert.ok(schema);
  const object = asKubeObject(atOnce(conform(schema, cloneJson(definition), { strict: false })).object);
  definitionStrategy('1.35').applyDefaults?.(object);
  return object;
}

/** With the general rules of metadata, as the registry adds them. */
function refusals(definition: JsonObject): string[] {
  const object = decoded(definition);
  definitionStrategy('1.35').prepareForCreate?.(object, context);
  return causes([
    ...atOnce(validateObjectMeta(object.metadata, false, isDNS1123Subdomain, path('metadata'))),
    ...atOnce(validateDefinition(object, '1.35')),
  ]);
}

async function updateRefusals({ spec, metadata, status }: UpdateCase): Promise<string[]> {
  const old = decoded({
    ...updatedDefinition,
    metadata: {
      ...(updatedDefinition['metadata'] as JsonObject),
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      generation: 1,
    },
    status: { conditions: [{ type: 'Established', status: 'True' }], storedVersions: ['v1'] },
  });
  const object = decoded({
    ...old,
    metadata: { ...old.metadata, ...metadata },
    spec: { ...(old['spec'] as JsonObject), ...spec },
    status: { ...(old['status'] as JsonObject), ...status },
  });
  const general = atOnce(validateObjectMetaUpdate(object.metadata, old.metadata, path('metadata')));
  if (status !== undefined)
    return causes([
      ...general,
      ...((await definitionStrategy('1.35').validateStatusUpdate?.(object, old, context)) ?? []),
    ]);
  definitionStrategy('1.35').prepareForUpdate?.(object, old, context);
  return causes([...general, ...atOnce(validateDefinitionUpdate(object, old, '1.35'))]);
}

describe('causes recorded from the reference', () => {
  for (const [name, definition] of Object.entries(definitionCases)) {
    test(`match for the new definition "${name}"`, () => {
      assert.deepEqual(refusals(definition), [...new Set(recorded.definitions[name])]);
    });
  }

  for (const [name, update] of Object.entries(updateCases)) {
    test(`match for the updated definition "${name}"`, async () => {
      assert.deepEqual(await updateRefusals(update), [...new Set(recorded.updates[name])]);
    });
  }

  const compiled = createSchemaCompiler(facts)(
    { type: 'object', properties: { spec: { type: 'object', properties: valueProperties } } },
    { group: 'recorded.example.com', version: 'v1', kind: 'Recorded' },
  );

  valueCases.forEach(([property, value], index) => {
    test(`match for the value ${JSON.stringify(value)} of ${property}`, () => {
      const object: JsonObject = {
        apiVersion: 'recorded.example.com/v1',
        kind: 'Recorded',
        metadata: { name: 'a' },
        spec: { [property]: cloneJson(value) },
      };
      atOnce(compiled.prune(object));
      assert.deepEqual(
        causes([
          ...atOnce(compiled.validateValues(object)),
          ...atOnce(compiled.validateEmbedded(object)),
          ...atOnce(compiled.validateLists(object)),
        ]),
        [...new Set(recorded.values[index])],
      );
    });
  });

  for (const format of formatNames) {
    test(`match for the texts that format ${format} accepts`, () => {
      const { check } = supportedFormat(format, 'string');
      assert.deepEqual(
        formatTexts.filter((text) => check === undefined || check(text)),
        recorded.formats[format],
      );
    });
  }
});
