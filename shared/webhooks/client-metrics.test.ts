import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MockAgent } from 'undici';
import { countedBy } from '#shared/observability/exposition/testing/counted-by.ts';
import { sendReview } from './send-review.ts';

describe('metrics of calls', () => {
  test('count attempts, those after the first as retries, and calls', async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    const pool = agent.get('https://counted.example.com');
    const asked = { method: 'POST', path: '/a' };
    pool.intercept(asked).reply(503, '{}', { headers: { 'retry-after': '0' } });
    pool.intercept(asked).reply(200, '{}');
    const origin = 'https://counted.example.com';
    const host = 'counted.example.com';
    const call = { agent, scheme: 'https:', origin, path: '/a', addressOf: () => host, headers: {}, body: '{}' };
    const counted = await countedBy('rest_client', () => sendReview({ ...call, untilMs: performance.now() + 1000 }));
    await agent.close();
    const verb = `host="${host}",verb="POST"`;
    assert.deepEqual(counted, [
      `rest_client_request_duration_seconds_count{${verb}} 1`,
      `rest_client_request_retries_total{code="200",${verb}} 1`,
      `rest_client_request_size_bytes_count{${verb}} 2`,
      `rest_client_requests_total{code="200",host="${host}",method="POST"} 1`,
      `rest_client_requests_total{code="503",host="${host}",method="POST"} 1`,
      `rest_client_response_size_bytes_count{${verb}} 1`,
    ]);
  });
});
