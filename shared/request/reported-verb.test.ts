import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseRequestInfo } from './parse-request-info.ts';
import { reportedVerb, reachedScope } from './reported-verb.ts';
import type { RequestContext } from './request-context.ts';

function contextOf(method: string, target: string, type = ''): RequestContext {
  const [path = '', query = ''] = target.split('?');
  const exchange = { method, path, query, headers: { 'content-type': type } };
  return { exchange, info: parseRequestInfo({ method, path, query }) } as unknown as RequestContext;
}

describe('reportedVerb', () => {
  const pods = '/api/v1/namespaces/a/pods';
  const cases: readonly (readonly [request: string, verb: string, scope: string, type?: string])[] = [
    [`GET ${pods}/b`, 'GET', 'resource'],
    [`HEAD ${pods}/b`, 'GET', 'resource'],
    [`GET ${pods}`, 'LIST', 'namespace'],
    ['GET /api/v1/pods', 'LIST', 'cluster'],
    [`GET ${pods}?watch=1`, 'WATCH', 'namespace'],
    [`GET ${pods}?watch=False`, 'LIST', 'namespace'],
    ['GET /version', 'GET', ''],
    [`POST ${pods}`, 'POST', 'resource'],
    [`PATCH ${pods}/b`, 'PATCH', 'resource', 'application/merge-patch+json'],
    [`PATCH ${pods}/b`, 'APPLY', 'resource', 'application/apply-patch+yaml'],
    [`DELETE ${pods}`, 'DELETE', 'namespace'],
    [`GET ${pods}/b/log`, 'CONNECT', 'resource'],
    [`POST ${pods}/b/exec`, 'CONNECT', 'resource'],
  ];
  for (const [request, verb, scope, type] of cases)
    test(`tells ${request} ${type ?? ''} as ${verb} of scope "${scope}"`, () => {
      const [method = '', target = ''] = request.split(' ');
      const context = contextOf(method, target, type);
      assert.deepEqual([reportedVerb(context), reachedScope(context.info)], [verb, scope]);
    });
});
