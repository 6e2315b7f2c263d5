import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { readDefinition } from '#servers/extensions/crds/read-definition.ts';
import { loadDescriptions } from '#shared/api/descriptions/load-descriptions.ts';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { CustomModels } from './custom-models.ts';
import { documentCases, documentDefinition } from './testdata/document-cases.ts';

const recorded = JSON.parse(readFileSync(new URL('./testdata/recorded.json', import.meta.url), 'utf8')) as Readonly<
  Record<'v2' | 'v3', JsonObject>
>;
const established = { ...documentDefinition, status: { acceptedNames: documentDefinition.spec.names } };
const definition = readDefinition(Buffer.from(JSON.stringify(established)), 1);

function specOf(model: JsonObject): JsonObject {
  const { properties } = model;
  const spec = isObject(properties) ? properties['spec'] : undefined;
  return isObject(spec) ? spec : {};
}

function propertyOf(model: JsonObject, name: string): JsonValue | undefined {
  const { properties } = specOf(model);
  return isObject(properties) ? properties[name] : undefined;
}

for (const dialect of ['v2', 'v3'] as const) {
  describe(`model of a custom resource in OpenAPI ${dialect}`, () => {
    const [version] = definition.versions;
    assert.ok(version);
    const model = atOnce(new CustomModels(loadDescriptions()).object(definition, version, dialect, () => undefined));

    for (const name of Object.keys(documentCases))
      test(`has the schema of ${name} as the reference has it`, () =>
        assert.deepEqual(propertyOf(model, name), propertyOf(recorded[dialect], name)));

    test('requires what the reference requires', () =>
      assert.deepEqual(specOf(model)['required'], specOf(recorded[dialect])['required']));

    test('has the members of every resource as the reference has them', () => {
      const others = ({ properties, ...rest }: JsonObject): JsonObject => ({
        ...rest,
        properties: { ...(isObject(properties) && properties), spec: {} },
      });
      assert.deepEqual(others(model), others(recorded[dialect]));
    });
  });
}
