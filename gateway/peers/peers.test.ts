import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { describe, test, type TestContext } from 'node:test';
import { RoutingTable } from '#gateway/proxy/routing-table.ts';
import { sampleLines } from '#shared/observability/exposition/testing/sample-lines.ts';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { PeerRig, type Serve } from './testing/peer-rig.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const jobs = '/apis/batch/v1/namespaces/default/jobs';

function group(name: string, resource: string): object {
  return {
    metadata: { name },
    versions: [{ version: 'v1', resources: [{ resource, verbs: ['get'] }], freshness: 'Current' }],
  };
}

/** Answers discovery with these groups, and every other request with its path and headers. */
function serving(...items: object[]): Serve {
  return (incoming, response) => {
    if (incoming.url !== '/api' && incoming.url !== '/apis')
      return void response.end(JSON.stringify({ path: incoming.url, raw: incoming.rawHeaders }));
    response.setHeader('content-type', aggregated);
    response.end(JSON.stringify({ items: incoming.url === '/apis' ? items : [] }));
  };
}

const servesJobs = serving(group('batch', 'jobs'), group('apps', 'deployments'), group('stale', 'things'));

async function call(
  socketPath: string,
  path: string,
  headers: OutgoingHttpHeaders = {},
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const sent = request({ socketPath, path, headers, agent: false });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, text };
}

async function setUp(t: TestContext): Promise<PeerRig> {
  const rig = await PeerRig.open();
  t.after(() => rig.close());
  return rig;
}

/** The errors that were counted; how often depends on how often all peers have been read. */
function errorsOf(rig: PeerRig): string[] {
  return rig.peers.metrics.families().flatMap((family) =>
    sampleLines(family)
      .filter((line) => line.includes('_errors_'))
      .map((line) => line.replace(/ \d+$/, '')),
  );
}

describe('Peers', () => {
  test('send only requests for what this server does not serve, without identities that clients claim', async (t) => {
    const rig = await setUp(t);
    await rig.addPeer('a', servesJobs);
    await rig.start();
    const front = await rig.listen();
    const { text } = await call(front, `${jobs}?limit=1`, {
      'x-other-user': 'admin',
      'X-Remote-Group': 'system:masters',
      'x-kubernetes-peer-proxied': 'false',
      authorization: 'Bearer t',
    });
    const { path, raw } = JSON.parse(text) as { path: string; raw: string[] };
    const sent = (name: string): string[] =>
      raw.filter((_value, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === name);
    assert.equal(path, `${jobs}?limit=1`);
    assert.deepEqual(
      ['x-remote-user', 'x-other-user', 'x-remote-group', 'x-kubernetes-peer-proxied', 'authorization'].map(sent),
      [['bob'], [], ['g'], ['true'], []],
    );
    for (const other of [
      '/apis/apps/v1/deployments',
      '/apis/stale/v1/things',
      '/apis/batch/v1/tasks',
      '/apis/batch/v1',
    ])
      assert.equal((await call(front, other)).status, 418, other);
  });

  test('serve a request that comes from a peer, so that none goes around in circles', async (t) => {
    const rig = await setUp(t);
    await rig.addPeer('a', servesJobs);
    await rig.start();
    const front = await rig.listen();
    assert.equal((await call(front, jobs, { 'x-kubernetes-peer-proxied': 'true' })).status, 418);
  });

  test('take nothing from a peer with a certificate of another authority, or without a document', async (t) => {
    const rig = await setUp(t);
    await rig.addPeer('liar', servesJobs, await createTestCa());
    await rig.addPeer('mute', (_incoming, response) => void response.end('[]'));
    await rig.start();
    assert.equal((await call(await rig.listen(), jobs)).status, 418);
    assert.deepEqual(errorsOf(rig), ['apiserver_peer_discovery_sync_errors_total{type="fetch_discovery"}']);
  });

  test('hold the start no longer than they may, though a peer hangs, and send to it nothing', async (t) => {
    const rig = await PeerRig.open(20);
    t.after(() => rig.close());
    const asked = Promise.withResolvers<void>();
    await rig.addPeer('hangs', () => asked.resolve());
    await rig.start();
    await asked.promise;
    assert.equal((await call(await rig.listen(), jobs)).status, 418);
  });

  test('do not ask a server that is known by its Lease alone', async (t) => {
    const rig = await setUp(t);
    await rig.addLease('made-up');
    await rig.start();
    assert.deepEqual(errorsOf(rig), ['apiserver_peer_discovery_sync_errors_total{type="hostport_resolution"}']);
  });

  test('answer 503 for a peer that left, and send nothing for a group version of a definition', async (t) => {
    const rig = await setUp(t);
    await rig.addPeer('a', servesJobs);
    await rig.start();
    const front = await rig.listen();
    await rig.forget('a');
    const { status, text } = await call(front, jobs);
    assert.deepEqual([status, text.includes('Error getting ip and port info')], [503, true]);
    const served = { group: 'batch', version: 'v1', groupPriority: 1, versionPriority: 1, defined: true };
    rig.routes.replace(new RoutingTable(new Map([['batch/v1', { kind: 'self', served }]])));
    assert.equal((await call(front, jobs)).status, 418);
    rig.routes.replace(new RoutingTable(new Map()));
    assert.equal((await call(front, jobs)).status, 418, 'after its deletion');
  });
});
