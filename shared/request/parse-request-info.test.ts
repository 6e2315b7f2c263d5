import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseRequestInfo } from './parse-request-info.ts';

function parse(method: string, path: string, query = ''): Record<string, unknown> {
  const { isResourceRequest, verb, apiPrefix, apiGroup, apiVersion, namespace, resource, subresource, name } =
    parseRequestInfo({ method, path, query });
  return { isResourceRequest, verb, apiPrefix, apiGroup, apiVersion, namespace, resource, subresource, name };
}

const core = {
  isResourceRequest: true,
  apiPrefix: 'api',
  apiGroup: '',
  apiVersion: 'v1',
  namespace: '',
  subresource: '',
  name: '',
};

describe('parseRequestInfo', () => {
  test('takes verb, namespace, resource, name and subresource from the path of a resource', () => {
    assert.deepEqual(parse('GET', '/api/v1/namespaces/a/pods/p/log'), {
      ...core,
      verb: 'get',
      namespace: 'a',
      resource: 'pods',
      name: 'p',
      subresource: 'log',
    });
    assert.deepEqual(parse('POST', '/api/v1/namespaces/a/pods'), {
      ...core,
      verb: 'create',
      namespace: 'a',
      resource: 'pods',
    });
    assert.deepEqual(parse('DELETE', '/api/v1/nodes'), { ...core, verb: 'deletecollection', resource: 'nodes' });
  });

  test('gives a Namespace itself as its namespace', () => {
    assert.deepEqual(parse('GET', '/api/v1/namespaces/a'), {
      ...core,
      verb: 'get',
      namespace: 'a',
      resource: 'namespaces',
      name: 'a',
    });
    assert.deepEqual(parse('PUT', '/api/v1/namespaces/a/finalize'), {
      ...core,
      verb: 'update',
      namespace: 'a',
      resource: 'namespaces',
      name: 'a',
      subresource: 'finalize',
    });
  });

  test('takes the verb watch from the query or from the path', () => {
    assert.equal(parse('GET', '/api/v1/pods', 'watch=maybe')['verb'], 'watch');
    assert.equal(parse('GET', '/api/v1/pods', 'watch=FALSE')['verb'], 'list');
    assert.deepEqual(parse('GET', '/api/v1/watch/namespaces/a/pods'), {
      ...core,
      verb: 'watch',
      namespace: 'a',
      resource: 'pods',
    });
  });

  test('takes the name from a field selector of metadata.name', () => {
    assert.equal(parse('GET', '/api/v1/namespaces/a/pods', 'fieldSelector=metadata.name%3Dp')['name'], 'p');
  });

  test('reports paths outside of the API groups as no resource request', () => {
    for (const path of ['/', '/healthz', '/api', '/api/v1', '/apis/apps/v1', '/other/v1/pods'])
      assert.equal(parse('GET', path)['isResourceRequest'], false, path);
  });

  test('decodes percent escapes of a path, and throws MalformedPathError at a broken one', () => {
    assert.equal(parse('GET', '/api/v1/namespaces/a%62/pods')['namespace'], 'ab');
    assert.throws(() => parse('GET', '/api/v1/namespaces/a%zz/pods'), {
      name: 'MalformedPathError',
      message: /invalid URL escape/,
    });
  });

  // Asked of the reference: with 10,000 its limit counts, with one more nothing of the query does.
  test('ignores a query of more than 10,000 parameters', () => {
    const limitOf = (query: string): string | null =>
      parseRequestInfo({ method: 'GET', path: '/api/v1/pods', query }).query.get('limit');
    assert.equal(limitOf(`limit=1${'&a'.repeat(9_999)}`), '1');
    assert.equal(limitOf(`limit=1${'&a'.repeat(10_000)}`), null);
    assert.equal(limitOf(`${'&'.repeat(9_999)}limit=1`), '1');
    assert.equal(limitOf(`${'&'.repeat(10_000)}limit=1`), null);
  });
});
