import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createStorage } from '#shared/storage/create/create-storage.ts';
import { startCluster } from '#test/cluster.ts';
import { startEtcdCluster } from '#test/etcd-cluster.ts';
import { makeCertificates } from './certificates.ts';
import { createMap, maps, withClient, type Scenario } from './scenario.ts';

/** Client certificates, a prefix of its own, and what is said without a certificate. */
export async function tls({ program, folder, say }: Scenario): Promise<void> {
  const certificates = makeCertificates(join(folder, 'pki'));
  const etcd = await startEtcdCluster(program, join(folder, 'etcd'), { tls: certificates });
  const flags = ['--etcd-servers', etcd.endpoints, '--etcd-cafile', certificates.caFile];
  const own = ['--etcd-certfile', certificates.certFile, '--etcd-keyfile', certificates.keyFile];
  try {
    const cluster = await startCluster({
      bundled: true,
      flags: [...flags, ...own, '--etcd-prefix', '/elsewhere/deep'],
      readyWithinMs: 60_000,
    });
    try {
      await withClient(cluster, async (client) => {
        assert.equal((await createMap(client, 'over-tls')).status, 201);
        assert.equal((await client.send('GET', `${maps}/over-tls`)).status, 200);
      });
    } finally {
      await cluster.close();
    }
    const storage = createStorage({ endpoints: [etcd.endpoints], prefix: '', tls: certificates });
    const { items } = await storage.list('/');
    await storage.close();
    assert.ok(items.some(({ key }) => key === '/elsewhere/deep/configmaps/default/over-tls'));
    assert.deepEqual(
      items.filter(({ key }) => !key.startsWith('/elsewhere/deep/')).map(({ key }) => key),
      [],
      'all keys lie under the prefix',
    );
    say('served over mutual TLS, every key under the prefix');
    const refused = await startCluster({
      bundled: true,
      flags: [...flags, '--storage-initialization-timeout', '3s'],
      readyWithinMs: 60_000,
    }).then(
      (running) => running.close(),
      (error: Error) => error,
    );
    assert.ok(refused instanceof Error, 'etcd lets nobody in without a certificate');
    assert.match(refused.message, /(?:core|extensions) ended .*(?:certificate|handshake|alert|connection)/i);
    say(`without a certificate: ${/(?:core|extensions) ended .*/.exec(refused.message)?.[0] ?? ''}`);
  } finally {
    await etcd.close();
  }
}
