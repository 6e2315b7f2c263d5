import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createSchemaCompiler } from '#servers/extensions/compile-schema.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { customResources, definition, version } from './testing-definition.ts';

const all = '/apis/example.com/v1/namespaces/default/wids';
const mapOf = (type: string): JsonObject => ({ type: 'object', additionalProperties: { type } });
const pairs = { items: { ...mapOf('integer'), 'x-kubernetes-map-type': 'atomic' }, type: 'array' };
const pod = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  properties: {
    apiVersion: { type: 'string' },
    metadata: { type: 'object', properties: { labels: mapOf('string') } },
  },
};

function versionWith(name: string, listType: string): JsonObject {
  const spec = {
    type: 'object',
    properties: { pod, pairs: { ...pairs, 'x-kubernetes-list-type': listType }, keep: { type: 'string' } },
  };
  return version(name, { schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } });
}

// The expected answers were recorded by hand from kube-apiserver v1.36.3; test/conformance/series/custom-nulls.ts
// compares with a live one.
describe('custom resource', () => {
  const { server, definitions } = customResources(createSchemaCompiler(loadFacts()));
  const wid = (name: string, spec: JsonObject, apiVersion = 'example.com/v1'): JsonObject => ({
    apiVersion,
    kind: 'Wid',
    metadata: { name },
    spec,
  });
  const withPod = (name: string, members: JsonObject): JsonObject =>
    wid(name, { pod: { apiVersion: 'v1', kind: 'Pod', ...members } });

  before(() => definitions.put(definition('1', [versionWith('v1', 'set'), versionWith('v2', 'atomic')])));
  after(() => server.close());

  test('loses the nulls of declared metadata in an embedded resource', async () => {
    const metadata = { labels: { a: null, b: 'c' }, annotations: { a: null } };
    const made = await server.send('POST', all, withPod('a', { metadata }));
    assert.deepEqual(made.body['spec'], {
      pod: { apiVersion: 'v1', kind: 'Pod', metadata: { annotations: { a: '' }, labels: { b: 'c' } } },
    });
    const bare = await server.send('POST', all, withPod('b', { metadata: null }));
    assert.deepEqual(bare.body['spec'], { pod: { apiVersion: 'v1', kind: 'Pod' } });
  });

  test('misses a declared apiVersion that is null in an embedded resource', async () => {
    const refused = await server.send('POST', all, withPod('c', { apiVersion: null }));
    assert.equal(refused.body['message'], 'Wid.example.com "c" is invalid: spec.pod.apiVersion: Required value');
  });

  test('is refused with the duplicate item of a set printed in the order of its keys', async () => {
    const twice = [
      { z: 1, a: 2 },
      { z: 1, a: 2 },
    ];
    const refused = await server.send('POST', all, wid('d', { pairs: twice }));
    assert.equal(
      refused.body['message'],
      'Wid.example.com "d" is invalid: spec.pairs[1]: Duplicate value: {"a":2,"z":1}',
    );
  });

  test('is refused with the step that failed when an apply does not fit the version applied before', async () => {
    const apply = async (version: string, spec: JsonObject): Promise<unknown> => {
      const path = `${all.replace('v1', version)}/e?fieldManager=one`;
      const type = { 'content-type': 'application/apply-patch+yaml' };
      return (await server.send('PATCH', path, wid('e', spec, `example.com/${version}`), type)).body['message'];
    };
    assert.equal(await apply('v1', { keep: 'x' }), undefined);
    assert.equal(
      await apply('v2', { pairs: [{ z: 1 }] }),
      "failed to prune fields: failed to convert merged object to last applied version: .spec.pairs: element 0: associative list without keys has an element that's a map type",
    );
  });
});
