import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { definitionsResource, extensionFacts, extensionsGroup } from '#servers/extensions/facts/extension-facts.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { StoredForm } from '#shared/registry/stored-form.ts';
import { storedDefinition } from './stored-definition.ts';

const facts = extensionFacts(loadFacts());
const resource = facts.resource(extensionsGroup, 'v1', definitionsResource);
assert.ok(resource);
const form = new StoredForm(facts, resource, { shape: storedDefinition });
/** Values of etcd under the reference, one a line. */
const recorded = readFileSync(new URL('../testdata/stored-definitions.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '');

describe('stored CustomResourceDefinition', () => {
  recorded.forEach((line, index) => {
    test(`decodes to v1 and encodes to the recorded bytes: definition ${index} of the reference`, () => {
      const value = Buffer.from(`${line}\n`);
      const entry = form.decode({ key: '/x', value, createRevision: 1, modRevision: 7, lease: '' });
      const object = atOnce(form.parse(entry));
      assert.equal(object.apiVersion, 'apiextensions.k8s.io/v1');
      assert.doesNotMatch(entry.json.toString(), /"validation"|"JSONPath"|"version":/);
      assert.equal(atOnce(form.encode(object)).stored.toString(), value.toString());
    });
  });
});
