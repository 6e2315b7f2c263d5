import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { discoveryList } from '#shared/endpoints/discovery/api-group-discovery.ts';
import { sampleLines } from '#shared/observability/exposition/testing/sample-lines.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { PeerDiscovery } from './peer-discovery.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

describe('PeerDiscovery', () => {
  test('counts requests for documents of this server alone, for both roots', async () => {
    const own = { groups: () => [], current: () => ({ list: discoveryList([]), etag: '' }) };
    const discovery = new PeerDiscovery({ id: 'a', own, peers: undefined });
    const passed: string[] = [];
    const handler = discovery.counting(({ info }) => void passed.push(info.path));
    const ask = (path: string, accept?: string, verb = 'get'): unknown =>
      handler({ info: { path, verb }, exchange: { headers: { accept } } } as unknown as RequestContext);
    ask('/api', `${aggregated};profile=nopeer`);
    ask('/api/', `${aggregated};profile=nopeer`);
    ask('/api', aggregated);
    ask('/api', 'application/json;profile=nopeer');
    ask('/api', `${aggregated};profile=nopeer`, 'post');
    ask('/api');
    ask('/apis', `${aggregated};profile=nopeer`);
    await discovery.current(true);
    assert.equal(passed.length, 7);
    const family = discovery.metrics().find(({ name }) => name === 'aggregator_discovery_nopeer_requests_total');
    assert.deepEqual(family && sampleLines(family), ['aggregator_discovery_nopeer_requests_total 3']);
  });
});
