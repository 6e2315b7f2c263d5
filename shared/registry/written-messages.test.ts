import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { protobufOfJson } from '#shared/serializer/protobuf/from-json.ts';
import { StoredForm } from './stored-form.ts';
import { writtenMessage } from './written-messages.ts';

const facts = loadFacts();

function formOf(group: string, name: string): StoredForm {
  const resource = facts.resource(group, 'v1', name);
  assert.ok(resource !== undefined);
  return new StoredForm(facts, resource, {});
}

const configMaps = formOf('', 'configmaps');

function configMap(content: JsonObject): ReturnType<typeof asKubeObject> {
  return asKubeObject({ metadata: { name: 'a', namespace: 'b' }, ...content });
}

describe('writtenMessage', () => {
  test('is the message of the JSON of an entry that was written', () => {
    const encoded = atOnce(configMaps.encode(configMap({ data: { key: 'value' } })));
    const entry = configMaps.entryOf('/configmaps/b/a', encoded, 12);
    assert.deepEqual(writtenMessage(entry), protobufOfJson(configMaps.schema, entry.json));
  });

  test('is absent for an entry that was decoded, and for a dry run of a create', () => {
    const encoded = atOnce(configMaps.encode(configMap({})));
    const decoded = configMaps.decode({
      key: '/configmaps/b/a',
      value: encoded.stored,
      modRevision: 3,
      createRevision: 3,
      lease: '',
    });
    assert.equal(writtenMessage(decoded), undefined);
    assert.equal(writtenMessage(configMaps.entryOf('/configmaps/b/a', encoded, 0)), undefined);
  });

  test('is absent for an object whose JSON leaves out what is stored', () => {
    const secrets = formOf('', 'secrets');
    const hooks = formOf('admissionregistration.k8s.io', 'validatingwebhookconfigurations');
    const secret = atOnce(secrets.encode(configMap({ data: { key: '' } })));
    assert.deepEqual(
      writtenMessage(secrets.entryOf('/secrets/b/a', secret, 1)),
      protobufOfJson(secrets.schema, secrets.entryOf('/secrets/b/a', secret, 1).json),
    );
    const webhook = asKubeObject({
      metadata: { name: 'a' },
      webhooks: [{ name: 'w', clientConfig: { caBundle: '' } }],
    });
    const entry = hooks.entryOf('/validatingwebhookconfigurations/a', atOnce(hooks.encode(webhook)), 1);
    assert.ok(entry.unprinted !== undefined);
    assert.equal(writtenMessage(entry), undefined);
  });
});
