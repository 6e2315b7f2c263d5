import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { sampleLines } from '#shared/observability/exposition/testing/sample-lines.ts';
import { createStorage } from '#shared/storage/create/create-storage.ts';
import type { ProcessOptions } from './data-directory.ts';
import { storageSizeMetrics } from './open-storage.ts';

describe('storageSizeMetrics', () => {
  test('keeps no connection to an address once it was asked', async () => {
    const sessions: Promise<unknown>[] = [];
    const etcd = createServer()
      .on('session', (session: ServerHttp2Session) => sessions.push(once(session, 'close')))
      .on('stream', (stream: ServerHttp2Stream) => {
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
        stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' })).on('error', () => undefined);
        // A StatusResponse whose dbSize is 7.
        stream.end(Buffer.from([0, 0, 0, 0, 2, 0x18, 7]));
      });
    await once(etcd.listen(0, '127.0.0.1'), 'listening');
    // No name of this machine, so that it is asked by gRPC.
    const endpoint = `http://[::ffff:127.0.0.1]:${(etcd.address() as AddressInfo).port}`;
    const noTls = { etcdCafile: '', etcdCertfile: '', etcdKeyfile: '' };
    const named = { etcdServers: [endpoint], etcdServersOverrides: [], etcdPrefix: '/a' };
    const server = { ...named, ...noTls, etcdDbMetricPollInterval: 1 };
    // An address has a second to answer, without the time that the client takes to load.
    await import('etcd3');
    const storage = createStorage({ endpoints: ['http://127.0.0.1:1'] });
    const families = storageSizeMetrics({ server, sockets: {} } as unknown as ProcessOptions, storage);
    const family = families.find(({ name }) => name === 'apiserver_storage_db_total_size_in_bytes');
    assert.ok(family);
    await family.refresh?.();
    assert.match(sampleLines(family)[0] ?? '', / 7$/);
    assert.equal(sessions.length, 1);
    await Promise.all(sessions);
    await storage.close();
    etcd.close();
  });
});
