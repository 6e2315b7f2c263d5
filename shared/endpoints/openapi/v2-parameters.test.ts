import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { V2Parameters } from './v2-parameters.ts';

const deleteOptions = { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions' };

describe('V2Parameters', () => {
  test("names shared parameters after kube-apiserver's hash of their content", () => {
    const parameters = new V2Parameters();
    const namespace = {
      uniqueItems: true,
      type: 'string',
      description: 'object name and auth scope, such as for teams and projects',
      name: 'namespace',
      in: 'path',
      required: true,
    };
    const body = { name: 'body', in: 'body', schema: deleteOptions };
    assert.deepEqual(parameters.refer(namespace), { $ref: '#/parameters/namespace-vgWSWtn3' });
    assert.deepEqual(parameters.refer({ ...namespace }), { $ref: '#/parameters/namespace-vgWSWtn3' });
    assert.deepEqual(parameters.refer(body), { $ref: '#/parameters/body-2Y1dVQaQ' });
    assert.deepEqual(parameters.shared(), [
      ['body-2Y1dVQaQ', body],
      ['namespace-vgWSWtn3', namespace],
    ]);
  });

  test('keeps parameters of one kind, and those that old clients look for, in their places', () => {
    const parameters = new V2Parameters();
    for (const parameter of [
      { name: 'name', in: 'path', type: 'string' },
      { name: 'dryRun', in: 'query', type: 'string' },
      { name: 'fieldValidation', in: 'query', type: 'string' },
      { name: 'body', in: 'body', schema: { $ref: '#/definitions/io.k8s.api.core.v1.Pod' } },
    ])
      assert.equal(parameters.refer(parameter), parameter);
    assert.deepEqual(parameters.shared(), []);
  });
});
