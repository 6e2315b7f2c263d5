import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createSchemaCompiler } from '#servers/extensions/compile-schema.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { customResources, definition, version } from './testing-definition.ts';

const all = '/apis/example.com/v1/namespaces/default/wids';
const text = (whole: string, metadata = '{"name":"a"}'): string =>
  `{"apiVersion":"example.com/v1","kind":"Wid","metadata":${metadata},"spec":{"whole":${whole}}}`;

describe('integer of a custom resource that is written as a float', () => {
  const { server, definitions } = customResources(createSchemaCompiler(loadFacts()));
  let resourceVersion: string;

  const write = async (
    method: string,
    path: string,
    type: string,
    body: string,
  ): Promise<readonly [number, string]> => {
    const answer = await server.send(method, path, body, { 'content-type': `application/${type}` });
    return [answer.status, String(answer.body['message'] ?? '')];
  };
  // Recorded by hand from kube-apiserver v1.36.3; test/conformance/series/custom-floats.ts compares with a live one.
  const ruleFailed = [
    422,
    'Wid.example.com "a" is invalid: spec.whole: Invalid value: "integer": invalid data, expected int, got float64 evaluating rule: self >= 1',
  ] as const;

  before(async () => {
    const whole = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= 1' }] };
    const spec = { type: 'object', properties: { whole } };
    definitions.put(
      definition('1', [version('v1', { schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } })]),
    );
    const made = await server.send('POST', all, text('1'));
    assert.equal(made.status, 201);
    resourceVersion = (made.body['metadata'] as { resourceVersion: string }).resourceVersion;
  });
  after(() => server.close());

  test('fails the rule in a created object', async () => {
    assert.deepEqual(await write('POST', all, 'json', text('2.0')), ruleFailed);
  });

  test('fails the rule in a replaced object', async () => {
    const metadata = JSON.stringify({ name: 'a', resourceVersion });
    assert.deepEqual(await write('PUT', `${all}/a`, 'json', text('2.0', metadata)), ruleFailed);
  });

  test('fails the rule in a merge patch', async () => {
    const body = '{"spec":{"whole":2.0}}';
    assert.deepEqual(await write('PATCH', `${all}/a`, 'merge-patch+json', body), ruleFailed);
  });

  test('fails the rule in a JSON patch', async () => {
    const body = '[{"op":"replace","path":"/spec/whole","value":2e0}]';
    assert.deepEqual(await write('PATCH', `${all}/a`, 'json-patch+json', body), ruleFailed);
  });

  test('passes the rule in an applied object, whose values are typed by the schema', async () => {
    const path = `${all}/a?fieldManager=m&force=true`;
    assert.deepEqual(await write('PATCH', path, 'apply-patch+yaml', text('2.0')), [200, '']);
  });
});
