import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { sampleLines } from '#shared/observability/exposition/testing/sample-lines.ts';
import { countedPath } from '#shared/request/counted-as.ts';
import { parseRequestInfo } from '#shared/request/parse-request-info.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { deprecatedRequests } from './deprecated-requests.ts';
import { RequestMetrics } from './request-metrics.ts';

interface Asked extends Partial<
  Pick<RequestContext, 'countedAs' | 'deadlineMs' | 'endedBy' | 'queuedMs' | 'webhookMs'>
> {
  readonly type?: string;
  readonly bytes?: number;
  readonly user?: string;
}

function context(
  method: string,
  target: string,
  statusCode: number,
  { type, bytes = 0, user = 'a', ...more }: Asked = {},
): RequestContext {
  const [path = '', query = ''] = target.split('?');
  return {
    exchange: {
      method,
      path,
      query,
      statusCode,
      headers: type === undefined ? {} : { 'content-type': type },
      rawHeaders: [],
      answerBytes: bytes,
    },
    user: { name: user },
    info: parseRequestInfo({ method, path, query }),
    receivedAtMs: performance.now() - 30,
    countedAs: 'built-in',
    ...more,
  } as unknown as RequestContext;
}

/** The labels of a request, as `apiserver_request_total` counts it. */
function countedLabels(asked: RequestContext): string {
  const metrics = new RequestMetrics();
  metrics.record(asked);
  const line = sampleLines(...metrics.families()).find((text) => text.startsWith('apiserver_request_total{')) ?? '';
  const of = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(line)?.[1] ?? '';
  return ['verb', 'scope', 'resource', 'subresource', 'dry_run', 'code'].map(of).join(' ');
}

describe('RequestMetrics', () => {
  const apply = 'application/apply-patch+yaml';
  const pods = '/api/v1/namespaces/a/pods';
  const expected: readonly (readonly [RequestContext, string])[] = [
    [context('GET', pods, 200), 'LIST namespace pods   200'],
    [context('GET', '/api/v1/pods', 200), 'LIST cluster pods   200'],
    [context('GET', `${pods}?watch=true`, 200), 'WATCH namespace pods   200'],
    [context('GET', `${pods}/a?watch=0`, 200), 'GET resource pods   200'],
    [context('GET', '/api/v1/watch/namespaces/a/pods', 200), 'WATCH namespace pods   200'],
    [context('GET', `${pods}?fieldSelector=metadata.name=b`, 200), 'LIST namespace pods   200'],
    [context('GET', `${pods}?fieldSelector=metadata.name=b`, 200, { countedAs: 'custom' }), 'GET resource pods   200'],
    [context('POST', `${pods}?dryRun=All`, 201), 'POST resource pods  All 201'],
    [context('POST', `${pods}?dryRun=x`, 422), 'POST resource pods  invalid 422'],
    [context('DELETE', pods, 200), 'DELETE namespace pods   200'],
    [context('PATCH', `${pods}/a`, 200, { type: apply }), 'APPLY resource pods   200'],
    [context('PATCH', `${pods}/a`, 200, { type: 'application/json-patch+json' }), 'PATCH resource pods   200'],
    [context('GET', `${pods}/a/log`, 200), 'CONNECT resource pods log  200'],
    [context('GET', '/livez', 200, { countedAs: countedPath('/livez') }), 'GET   /livez  200'],
    [context('GET', pods, 429, { countedAs: undefined, endedBy: 'dropped' }), 'LIST namespace pods   429'],
  ];
  for (const [asked, labels] of expected)
    test(`counts ${asked.exchange.method} ${asked.exchange.path}?${asked.exchange.query} as ${labels}`, () => {
      assert.equal(countedLabels(asked), labels);
    });

  test('does not count what no route took', () => {
    const metrics = new RequestMetrics();
    metrics.record(context('GET', '/api/v1/nothing', 404, { countedAs: undefined }));
    assert.deepEqual(sampleLines(...metrics.families()), []);
  });

  test('observes durations, without the waits in queues and for webhooks for SLIs, and sizes of answers', () => {
    const metrics = new RequestMetrics();
    metrics.record(context('GET', pods, 200, { queuedMs: 15, webhookMs: 5, bytes: 2000 }));
    const lines = sampleLines(...metrics.families());
    const sumOf = (name: string): number => Number(lines.find((line) => line.startsWith(`${name}_sum`))?.split(' ')[1]);
    assert.ok(sumOf('apiserver_request_duration_seconds') >= 0.03);
    const [all, sli] = ['duration', 'sli_duration'].map((kind) => sumOf(`apiserver_request_${kind}_seconds`));
    assert.ok(Math.abs((all ?? 0) - (sli ?? 0) - 0.02) < 1e-9);
    assert.equal(sumOf('apiserver_response_sizes'), 2000);
  });

  test('counts what servers ask themselves, and what goes on after a deadline', () => {
    const metrics = new RequestMetrics();
    metrics.record(context('GET', pods, 200, { user: 'system:apiserver' }));
    metrics.record(context('GET', pods, 504, { endedBy: 'deadline' }));
    metrics.record(context('GET', pods, 504, { deadlineMs: performance.now() }));
    metrics.record(context('GET', pods, 504, { deadlineMs: performance.now() + 60_000 }));
    metrics.record(context('GET', pods, 200, { endedBy: 'aborted' }));
    const lines = sampleLines(...metrics.families());
    const counted = lines.filter((line) => /self|post_timeout|aborts/.test(line));
    assert.deepEqual(counted, [
      'apiserver_request_aborts_total{group="",resource="pods",scope="namespace",subresource="",verb="LIST",version="v1"} 1',
      'apiserver_request_post_timeout_total{source="timeout-handler",status="ok"} 2',
      'apiserver_selfrequest_total{group="",resource="pods",subresource="",verb="LIST"} 1',
    ]);
  });

  test('reports a deprecated version once', () => {
    const metrics = new RequestMetrics();
    for (const code of [200, 404]) metrics.record(context('GET', '/api/v1/endpoints', code));
    metrics.record(context('GET', '/api/v1/configmaps', 200));
    assert.deepEqual(sampleLines(deprecatedRequests(loadFacts(), () => metrics.requested())), [
      'apiserver_requested_deprecated_apis{group="",removed_release="",resource="endpoints",subresource="",version="v1"} 1',
    ]);
  });

  test('stops at 10,000 series', () => {
    const metrics = new RequestMetrics();
    for (let i = 0; i < 11_000; i++) metrics.record(context('GET', `/apis/group-${i}/v1/things`, 403));
    const counts = sampleLines(...metrics.families()).filter((line) => line.startsWith('apiserver_request_total{'));
    assert.equal(counts.length, 10_000);
  });
});
