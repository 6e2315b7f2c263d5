import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { loadDescriptions } from '#shared/api/descriptions/load-descriptions.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { OpenApiDocuments, v3Index } from './openapi-documents.ts';
import { digestsOf, type Digests } from './testdata/normal-form.ts';

const reference = JSON.parse(readFileSync(new URL('./testdata/reference.json', import.meta.url), 'utf8')) as Record<
  string,
  Digests
>;
const facts = loadFacts();

function documents(describe: (model: string, field: string) => string | undefined = () => undefined): OpenApiDocuments {
  const versions = facts
    .groups()
    .flatMap((group) => group.versions)
    .map(({ group, version, resources }) => ({
      group,
      version,
      resources: resources.filter((one) => one.enabledByDefault),
    }))
    .filter(({ resources }) => resources.length > 0);
  return new OpenApiDocuments({ facts, describe, apiVersion: '1.36' }, versions, 'test');
}

describe('OpenApiDocuments', () => {
  test("equal the reference's v3 documents, with all texts", async () => {
    const { v2: _, ...expected } = reference;
    const all = documents(loadDescriptions());
    assert.deepEqual(all.v3Names().toSorted(), Object.keys(expected).toSorted());
    for (const [name, wanted] of Object.entries(expected)) {
      const document = await all.v3(name);
      assert.ok(document);
      assert.deepEqual(digestsOf(JSON.parse(document.bytes.toString())), wanted, name);
    }
  });

  test("equal the reference's v2 document, with all texts", async () => {
    const { bytes } = await documents(loadDescriptions()).v2();
    assert.deepEqual(digestsOf(JSON.parse(bytes.toString())), reference['v2']);
  });

  test('put a description beside a reference only within allOf in v3', async () => {
    const document = await documents((model, field) =>
      model.endsWith('.Deployment') && field === 'spec' ? 'text' : undefined,
    ).v3('apis/apps/v1');
    const { components } = JSON.parse(document?.bytes.toString() ?? '') as {
      components: { schemas: Record<string, { properties: Record<string, unknown> }> };
    };
    assert.deepEqual(components.schemas['io.k8s.api.apps.v1.Deployment']?.properties['spec'], {
      description: 'text',
      default: {},
      allOf: [{ $ref: '#/components/schemas/io.k8s.api.apps.v1.DeploymentSpec' }],
    });
  });

  test('make a document once, shared by callers that wait for it', async () => {
    const all = documents();
    const [first, second] = await Promise.all([all.v3('version'), all.v3('version')]);
    assert.equal(first, second);
    assert.equal(await all.v3('version'), first);
    assert.equal(all.v3('apis/nowhere/v1'), undefined);
  });
});

describe('v3Index', () => {
  test('lists every document with the hash of its URL', () => {
    const all = documents();
    const { paths } = JSON.parse(v3Index(all.v3Entries())) as { paths: Record<string, { serverRelativeURL: string }> };
    assert.equal(
      paths['apis/apps/v1']?.serverRelativeURL,
      `/openapi/v3/apis/apps/v1?hash=${all.v3Hash('apis/apps/v1')}`,
    );
  });
});
