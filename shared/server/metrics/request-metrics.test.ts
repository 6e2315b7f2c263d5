import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { printFamilies } from '#shared/observability/exposition/testing/print-families.ts';
import { sampleLines } from '#shared/observability/exposition/testing/sample-lines.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { deprecatedRequests } from './deprecated-requests.ts';
import { RequestMetrics } from './request-metrics.ts';

function context(
  verb: string,
  resource: string,
  statusCode: number,
  more: { name?: string; query?: string } = {},
): RequestContext {
  const info = {
    isResourceRequest: true,
    path: '',
    verb,
    apiGroup: 'apps',
    apiVersion: 'v1',
    namespace: 'a',
    resource,
    subresource: '',
    name: more.name ?? '',
  };
  return {
    exchange: { method: 'GET', statusCode, query: more.query ?? '' },
    info,
    receivedAtMs: performance.now() - 30,
  } as unknown as RequestContext;
}

function printed(metrics: RequestMetrics): string {
  return printFamilies(metrics.families());
}

describe('RequestMetrics', () => {
  test('counts a request by labels and code, and its duration in cumulative buckets', () => {
    const metrics = new RequestMetrics();
    metrics.record(context('list', 'deployments', 200));
    metrics.record(context('list', 'deployments', 403));
    metrics.record(context('create', 'deployments', 201, { query: 'dryRun=All' }));
    const text = printed(metrics);
    const labels = (verb: string, scope: string, dryRun: string): string =>
      `component="apiserver",dry_run="${dryRun}",group="apps",resource="deployments",scope="${scope}",subresource="",verb="${verb}",version="v1"`;
    for (const code of [200, 403])
      assert.ok(text.includes(`apiserver_request_total{code="${code}",${labels('LIST', 'namespace', '')}} 1\n`), text);
    assert.ok(text.includes(`apiserver_request_total{code="201",${labels('POST', 'resource', 'All')}} 1\n`));
    assert.ok(
      text.includes(`apiserver_request_duration_seconds_bucket{${labels('LIST', 'namespace', '')},le="0.025"} 0\n`),
    );
    assert.ok(
      text.includes(`apiserver_request_duration_seconds_bucket{${labels('LIST', 'namespace', '')},le="+Inf"} 2\n`),
    );
  });

  test('reports a deprecated version once, and not for forbidden requests', () => {
    const metrics = new RequestMetrics();
    const ask = (resource: string, statusCode: number): void => {
      const asked = context('list', resource, statusCode);
      metrics.record({ ...asked, info: { ...asked.info, apiGroup: '' } });
    };
    for (const code of [200, 404]) ask('endpoints', code);
    ask('configmaps', 200);
    ask('componentstatuses', 403);
    assert.deepEqual(sampleLines(deprecatedRequests(loadFacts(), () => metrics.requested())), [
      'apiserver_requested_deprecated_apis{group="",removed_release="",resource="endpoints",subresource="",version="v1"} 1',
    ]);
  });

  test('stops at 10,000 series for names that clients make up', () => {
    const metrics = new RequestMetrics();
    for (let i = 0; i < 11_000; i++) metrics.record(context('get', `made-up-${i}`, 403));
    assert.equal(printed(metrics).match(/^apiserver_request_total\{/gm)?.length, 10_000);
  });
});
