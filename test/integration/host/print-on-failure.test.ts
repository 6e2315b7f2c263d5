import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import type { TestCluster } from '#servers/host/client/public-types.ts';
import { startCluster } from '#servers/host/client/start-cluster.ts';

describe('printOnFailure', { timeout: 120_000 }, () => {
  let cluster: TestCluster;
  before(async () => {
    cluster = await startCluster();
  });
  after(() => cluster.close());

  test('of a body that succeeds, prints nothing and resolves with what it returned', async (t) => {
    const { mock } = t.mock.method(console, 'error', () => undefined);
    assert.equal(await cluster.printOnFailure(() => 7), 7);
    assert.equal(mock.callCount(), 0);
  });

  test('of a body that fails, prints the last requests and events, and fails as it did', async (t) => {
    const config = new KubeConfig();
    config.loadFromFile(cluster.kubeconfig);
    const core = config.makeApiClient(CoreV1Api);
    const namespace = 'default';
    const { mock } = t.mock.method(console, 'error', () => undefined);
    const failure = new Error('as it should');
    const body = async (): Promise<void> => {
      await core.createNamespacedEvent({
        namespace,
        body: {
          metadata: { name: 'late' },
          involvedObject: { kind: 'Pod', name: 'web', namespace },
          lastTimestamp: new Date('2026-01-02T03:04:05Z'),
          type: 'Warning',
          reason: 'BackOff',
          message: 'it did not start',
        },
      });
      await assert.rejects(core.readNamespacedPod({ namespace, name: 'web' }), { code: 404 });
      throw failure;
    };
    await assert.rejects(cluster.printOnFailure(body), (error) => error === failure);
    assert.equal(mock.callCount(), 1);
    const printed = String(mock.calls[0]?.arguments[0]);
    assert.match(
      printed,
      /^ {2}201 POST \/api\/v1\/namespaces\/default\/events \(.*\)\n {2}404 GET \S+\/pods\/web \(/m,
    );
    assert.match(printed, /^ {2}2026-01-02T03:04:05Z Warning BackOff default\/Pod\/web it did not start$/m);
  });

  test('of a cluster that is closed, prints that, and fails as the body did', async (t) => {
    const other = await startCluster();
    await other.close();
    const { mock } = t.mock.method(console, 'error', () => undefined);
    await assert.rejects(
      other.printOnFailure(() => {
        throw new Error('as it should');
      }),
      { message: 'as it should' },
    );
    assert.match(String(mock.calls[0]?.arguments[0]), /^the cluster is closed/);
  });
});
